import type { LoadedVideo, PlayerAd, PlayerStall } from './behaviour.ts'
import { toMediaRate, toReportedRate } from './rates.ts'
import type { PlayerEventName } from './widget-protocol.ts'

/** The states of `YT.PlayerState`. */
export const states = { unstarted: -1, ended: 0, playing: 1, paused: 2, buffering: 3, cued: 5 } as const
export type State = (typeof states)[keyof typeof states]

export interface EmbedPlayerParts {
  media: HTMLVideoElement
  /** Plays advertisements. */
  adMedia: HTMLVideoElement
  fetchVideo: (videoId: string) => Promise<LoadedVideo>
  emit: (event: PlayerEventName, data?: number) => void
}

const tickMs = 50
const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** The player of the frame: a real media element, with the states, latencies and faults of `PlayerBehaviour`. */
export class EmbedPlayer {
  /** Whether a gesture happened in the page or in the frame. */
  hasGesture = false
  video: LoadedVideo | null = null
  state: State = states.unstarted
  rate = 1
  isDurationKnown = false
  /** How many seeks it was asked for. */
  seeks = 0
  readonly #parts: EmbedPlayerParts
  #loads = 0
  #loading = Promise.resolve()
  /** Counts commands; a command ends what an earlier one still waits for. */
  #run = 0
  #hasStarted = false
  #ad: PlayerAd | null = null
  #isStalled = false
  /** The advertisement and the stall that are still to come. */
  #nextAd: PlayerAd | null = null
  #nextStall: PlayerStall | null = null

  constructor(parts: EmbedPlayerParts) {
    this.#parts = parts
    const { media, adMedia } = parts
    media.addEventListener('ended', () => this.#onEnded())
    media.addEventListener('pause', () => this.#onPause())
    adMedia.addEventListener('ended', () => this.#endAd())
    setInterval(() => this.#onTick(), tickMs)
  }

  /** The position that the player reports, s. */
  get currentTime(): number {
    return this.#ad?.clock === 'own' ? this.#parts.adMedia.currentTime : this.#parts.media.currentTime
  }

  /** The duration that the player reports, s; 0 while it is unknown. */
  get duration(): number {
    if (this.#ad?.states === 'own') return this.#ad.durationMs / 1_000
    return this.video && this.isDurationKnown ? this.video.durationMs / 1_000 : 0
  }

  /** The volume, 0 to 1, and whether the player is muted. */
  get sound(): { volume: number; muted: boolean } {
    return this.#parts.media
  }

  /** Loads a video and cues or plays it. The rate returns to 1. Commands that follow wait for the video. */
  async load(videoId: string, startSeconds: number, thenPlay: boolean): Promise<void> {
    const load = (this.#loads += 1)
    this.#loading = this.#open(videoId, startSeconds, load)
    await this.#loading
    if (load !== this.#loads || !this.#canPlay) return
    if (thenPlay) await this.#start(this.video?.behaviour.startLatencyMs ?? 0)
    else this.#setState(states.cued)
  }

  async play(): Promise<void> {
    if (!(await this.#isLoaded())) return
    if (this.#ad) await this.#playElement(this.#parts.adMedia, this.#run)
    else if (this.state !== states.playing && this.state !== states.buffering) {
      await this.#start(this.video?.behaviour.startLatencyMs ?? 0)
    }
  }

  async pause(): Promise<void> {
    if (!(await this.#isLoaded()) || this.state === states.ended) return
    this.#begin()
    this.#parts.adMedia.pause()
    this.#parts.media.pause()
    this.#setState(states.paused)
  }

  async stop(): Promise<void> {
    if (!(await this.#isLoaded())) return
    this.#begin()
    this.#endAdSilently()
    this.#parts.media.pause()
    this.#hasStarted = false
    this.#setState(states.cued)
  }

  /** Plays on from a position; a paused player stays paused there. An advertisement cannot be seeked. */
  async seek(seconds: number): Promise<void> {
    this.seeks += 1
    if (!(await this.#isLoaded()) || this.#ad) return
    const { media } = this.#parts
    const isPaused = this.state === states.paused
    if (!isPaused) this.#begin()
    if (!isPaused) media.pause()
    media.currentTime = Math.max(0, Math.min(seconds, (this.video?.durationMs ?? 0) / 1_000))
    if (!isPaused) await this.#start(this.video?.behaviour.seekLatencyMs ?? 0)
  }

  /** Changes the rate of a video that has started. Before that, and during an advertisement, it has no effect. */
  setRate(rate: number): void {
    if (this.#hasStarted && !this.#ad) this.#setRate(rate)
  }

  setVolume(volume: number): void {
    const { media, adMedia } = this.#parts
    media.volume = adMedia.volume = Math.max(0, Math.min(100, volume)) / 100
  }

  setMuted(isMuted: boolean): void {
    const { media, adMedia } = this.#parts
    media.muted = adMedia.muted = isMuted
    if (!isMuted && this.#isBlocked && this.state === states.playing) void this.pause()
  }

  /** Stops the media now. */
  async stall(stall: PlayerStall): Promise<void> {
    const run = this.#begin()
    this.#nextStall = null
    this.#isStalled = true
    this.#parts.media.pause()
    if (stall.state === 'buffering') this.#setState(states.buffering)
    await delay(stall.forMs)
    if (run === this.#run) await this.#playMedia(run)
  }

  /** Plays an advertisement now, and the video on from its position afterwards. */
  async playAd(ad: PlayerAd): Promise<void> {
    const { media, adMedia } = this.#parts
    const run = this.#begin()
    this.#nextAd = null
    this.#ad = ad
    media.pause()
    adMedia.src = `/sound/advertisement.wav?durationMs=${ad.durationMs}`
    await this.#playElement(adMedia, run)
  }

  /** Reports an error and stops. */
  fail(code: number): void {
    this.#begin()
    this.#endAdSilently()
    this.#parts.media.pause()
    this.#setState(states.unstarted)
    this.#parts.emit('onError', code)
  }

  async #open(videoId: string, startSeconds: number, load: number): Promise<void> {
    const { media, fetchVideo } = this.#parts
    this.#begin()
    this.#endAdSilently()
    media.removeAttribute('src')
    media.load()
    this.video = null
    this.#hasStarted = false
    this.isDurationKnown = false
    this.#setRate(1)
    this.#setState(states.unstarted)
    const video = await fetchVideo(videoId)
    if (load !== this.#loads) return
    this.video = video
    this.#nextAd = video.behaviour.ad
    this.#nextStall = video.behaviour.stall
    if (video.behaviour.error === null) {
      media.src = `/sound/${video.id}.wav`
      media.currentTime = startSeconds
    } else this.#parts.emit('onError', video.behaviour.error)
  }

  /** Waits for the video that a command is meant for; false if there is none, or another is loaded instead. */
  async #isLoaded(): Promise<boolean> {
    const load = this.#loads
    await this.#loading
    return load === this.#loads && this.#canPlay
  }

  get #canPlay(): boolean {
    return this.video !== null && this.#parts.media.hasAttribute('src')
  }

  get #isBlocked(): boolean {
    return this.video?.behaviour.isAutoplayBlocked === true && !this.hasGesture
  }

  #begin(): number {
    this.#isStalled = false
    return (this.#run += 1)
  }

  #setState(state: State): void {
    if (state === this.state) return
    this.state = state
    this.#parts.emit('onStateChange', state)
  }

  #setRate(rate: number): void {
    const rates = this.video?.behaviour.rates ?? 'fine'
    const { media } = this.#parts
    media.defaultPlaybackRate = media.playbackRate = toMediaRate(rate, rates)
    const reported = toReportedRate(rate, rates)
    if (reported === this.rate) return
    this.rate = reported
    this.#parts.emit('onPlaybackRateChange', reported)
  }

  async #start(latencyMs: number): Promise<void> {
    const run = this.#begin()
    const { media } = this.#parts
    if (media.ended) media.currentTime = 0
    this.#setState(states.buffering)
    await delay(latencyMs)
    if (run !== this.#run) return
    if (this.#isDue(this.#nextAd)) await this.playAd(this.#nextAd)
    else await this.#playMedia(run)
  }

  async #playMedia(run: number): Promise<void> {
    if (!(await this.#playElement(this.#parts.media, run))) return
    this.#hasStarted = true
    const { video } = this
    await delay(video?.behaviour.metadataDelayMs ?? 0)
    if (video === this.video) this.isDurationKnown = true
  }

  /** Plays an element; false where the browser refuses it, or another command came first. */
  async #playElement(element: HTMLVideoElement, run: number): Promise<boolean> {
    try {
      if (this.#isBlocked && !element.muted) throw new DOMException('Blocked', 'NotAllowedError')
      await element.play()
    } catch (error) {
      if (run !== this.#run) return false
      if (error instanceof DOMException && error.name === 'NotAllowedError') this.#block()
      else this.fail(5)
      return false
    }
    if (run !== this.#run) return false
    this.#isStalled = false
    this.#setState(states.playing)
    return true
  }

  #block(): void {
    this.#endAdSilently()
    this.#setState(states.unstarted)
    this.#parts.emit('onAutoplayBlocked')
  }

  #endAd(): void {
    this.#ad = null
    void this.#playMedia(this.#begin())
  }

  #endAdSilently(): void {
    this.#ad = null
    this.#parts.adMedia.pause()
  }

  #onTick(): void {
    if (this.state !== states.playing || this.#ad || this.#isStalled) return
    if (this.#isDue(this.#nextAd)) void this.playAd(this.#nextAd)
    else if (this.#isDue(this.#nextStall)) void this.stall(this.#nextStall)
  }

  #isDue<Next extends PlayerAd | PlayerStall>(next: Next | null): next is Next {
    return next !== null && this.#parts.media.currentTime * 1_000 >= next.atMs
  }

  /** The browser pauses media that is unmuted without a gesture. */
  #onPause(): void {
    const isOwn = this.#ad !== null || this.#isStalled || this.#parts.media.ended
    if (this.state === states.playing && !isOwn && this.#parts.media.paused) this.#setState(states.paused)
  }

  #onEnded(): void {
    this.#begin()
    this.#setState(states.ended)
  }
}

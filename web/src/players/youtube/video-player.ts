import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import { providerIdOf, type UnplayableReason } from '@earshot/core/protocol/providers'
import { isDurationCorrection } from '@earshot/core/sync/duration'
import type { PlayerCapabilities, PlayerStatus, PositionSample } from '@earshot/core/sync/follow/player-state'
import { PlayerEvents, type Player, type PlayerEvent } from '../player.ts'
import { mayBeOfAd, addVideoPosition, initialVideoProgress, notePause, noteSeek } from './video-progress.ts'
import { checkRates, initialVideoRates, noteRate } from './video-rates.ts'
import { VideoSession } from './video-session.ts'
import type { VideoSurface } from './video-surface.ts'
import { youtubeStates } from './youtube-frame.ts'
import { wallNow } from '../../wall-clock.ts'

/** A resting player this close to a position does not seek. */
const seekBeyondMs = 20
const fineRates = [0.95, 1, 1.05]
/** The player extrapolates its position between reports, without the latency of the sound device. */
const uncertaintyMs = 30

/**
 * Plays YouTube videos in the one visible player of the page (2.22b). It cannot be scheduled: its latency is measured
 * and compensated by the follow algorithm. While the page has no place for the player, a track keeps loading.
 */
export class VideoPlayer implements Player {
  readonly #events = new PlayerEvents()
  readonly #session: VideoSession
  #track: Track | null = null
  /** Where the video is to be once it rests: after a load or a pause. */
  #restMs = 0
  #isPlayWanted = false
  #rates = initialVideoRates
  #progress = initialVideoProgress
  #volume = 1
  /** The duration that was reported last. */
  #durationMs: number | null = null
  #startTimer: ReturnType<typeof setTimeout> | undefined
  #durationTimer: ReturnType<typeof setTimeout> | undefined
  #whenReady: () => void = () => undefined

  constructor(surface: VideoSurface) {
    this.#session = new VideoSession(surface, {
      onReady: () => this.#onReady(),
      onState: (state) => this.#onState(state),
      onAutoplayBlocked: () => this.#block(),
      onSettle: () => this.#settle(),
      onLost: () => this.#onLost(),
      onUnplayable: (reason) => this.#onUnplayable(reason),
    })
  }

  get capabilities(): PlayerCapabilities {
    const rates = this.#rates.verdict === 'none' ? 'none' : fineRates
    return { profile: 'video', canSchedule: false, rates, granularityMs: 20 }
  }

  load(track: Track, positionMs: number): Promise<void> {
    this.#whenReady()
    clearTimeout(this.#startTimer)
    clearTimeout(this.#durationTimer)
    this.#track = track
    this.#restMs = positionMs
    this.#isPlayWanted = false
    this.#durationMs = null
    this.#rates = noteRate(this.#rates, 1, wallNow())
    this.#progress = initialVideoProgress
    this.#events.setStatus('loading')
    const ready = new Promise<void>((resolve) => {
      this.#whenReady = resolve
    })
    this.#session.show({ id: providerIdOf(track), title: track.title, startMs: positionMs })
    return ready
  }

  play(positionMs: number, _atClientMs: number): Promise<void> {
    const player = this.#session.player
    if (!player) return Promise.resolve()
    const wasPlaying = this.#isSounding()
    this.#isPlayWanted = true
    this.setRate(1)
    this.#progress = noteSeek(positionMs, wallNow())
    if (wasPlaying || Math.abs(this.#positionMs() - positionMs) > seekBeyondMs) {
      player.seekTo(positionMs / 1_000, true)
    }
    if (!wasPlaying) this.#start(player)
    return Promise.resolve()
  }

  pause(positionMs: number): Promise<void> {
    this.#isPlayWanted = false
    clearTimeout(this.#startTimer)
    const player = this.#session.player
    if (!player) return Promise.resolve()
    const isOff = Math.abs(this.#positionMs() - positionMs) > seekBeyondMs
    this.#restMs = positionMs
    this.setRate(1)
    player.pauseVideo()
    if (isOff) this.#moveTo(positionMs)
    return Promise.resolve()
  }

  setRate(rate: number): void {
    if (rate === this.#rates.rate) return
    this.#rates = noteRate(this.#rates, rate, wallNow())
    this.#session.player?.setPlaybackRate(rate)
  }

  /** Phones and tablets of Apple ignore the volume of a video, but not that it is muted. */
  setVolume(volume: number): void {
    this.#volume = volume
    const player = this.#session.player
    if (volume === 0) player?.mute()
    else {
      player?.unMute()
      player?.setVolume(Math.round(volume * 100))
    }
  }

  sample(): PositionSample | null {
    if (!this.#track) return null
    this.#session.checkFrame()
    const { status } = this.#events
    const atClientMs = wallNow()
    const positionMs = this.#positionMs()
    if (status !== 'playing') return { positionMs, atClientMs, status }
    this.#progress = addVideoPosition(this.#progress, atClientMs, positionMs)
    const isAd = this.#progress.isInterrupted
    this.#rates = isAd
      ? noteRate(this.#rates, this.#rates.rate, atClientMs)
      : checkRates(this.#rates, { atMs: atClientMs, positionMs, statedRate: this.#statedRate() })
    return { positionMs, atClientMs, status, uncertaintyMs, isAd }
  }

  subscribe(listener: (event: PlayerEvent) => void): () => void {
    return this.#events.subscribe(listener)
  }

  unlock(): Promise<void> {
    const player = this.#session.player
    if (player && this.#events.isBlocked) this.#start(player)
    return Promise.resolve()
  }

  dispose(): void {
    clearTimeout(this.#startTimer)
    clearTimeout(this.#durationTimer)
    this.#whenReady()
    this.#events.close()
    this.#track = null
    this.#session.close()
  }

  #onReady(): void {
    this.setVolume(this.#volume)
    this.#becomeReady('ready')
  }

  #becomeReady(status: PlayerStatus): void {
    this.#whenReady()
    this.#events.setStatus(status)
  }

  /** A player that was lost starts again from the room's position: a new `play` follows. */
  #onLost(): void {
    clearTimeout(this.#startTimer)
    clearTimeout(this.#durationTimer)
    this.#isPlayWanted = false
    this.#rates = noteRate(this.#rates, 1, wallNow())
    this.#events.setStatus(this.#session.hasFailed ? 'error' : 'loading')
  }

  /** YouTube has one code for videos that no other site may show, and for those that are blocked in a country. */
  #onUnplayable(stated: UnplayableReason): void {
    if (!this.#track) return
    const { id: trackId, regional } = this.#track
    const reason = stated === 'not_embeddable' && regional ? 'blocked' : stated
    this.#events.emit({ type: 'unsupported', trackId, reason })
  }

  #onState(state: number): void {
    const isLoading = this.#events.status === 'loading'
    switch (state) {
      case youtubeStates.playing:
        return this.#onPlaying()
      case youtubeStates.paused:
        return this.#onStop('paused')
      case youtubeStates.ended:
        this.#onStop('ended')
        return this.#reportDuration(true)
      case youtubeStates.cued:
        return this.#becomeReady('ready')
      case youtubeStates.buffering:
        clearTimeout(this.#startTimer)
        if (!isLoading) this.#onStop('buffering')
    }
  }

  #onPlaying(): void {
    clearTimeout(this.#startTimer)
    this.#becomeReady('playing')
    this.#events.unblock()
    this.#awaitDuration()
  }

  #onStop(status: PlayerStatus): void {
    clearTimeout(this.#durationTimer)
    this.#progress = notePause(this.#progress, wallNow())
    this.#rates = noteRate(this.#rates, this.#rates.rate, wallNow())
    this.#becomeReady(status)
  }

  #awaitDuration(): void {
    clearTimeout(this.#durationTimer)
    this.#durationTimer = setTimeout(() => {
      this.#reportDuration(false)
      this.#awaitDuration()
    }, limits.videoDurationAfterMs)
  }

  /** A player may state the duration late, and during an ad that of the ad. */
  #reportDuration(hasEnded: boolean): void {
    const durationMs = readMs(() => this.#session.player?.getDuration(), 0)
    const isOfAd = !hasEnded && (this.#progress.isInterrupted || mayBeOfAd(durationMs, this.#track))
    if (isOfAd || !isDurationCorrection(this.#durationMs, durationMs)) return
    this.#durationMs = durationMs
    this.#events.emit({ type: 'duration', durationMs })
  }

  /** The initial seek and pause: it also buffers the video, so that it starts sooner. */
  #settle(): void {
    if (this.#isPlayWanted || this.#isSounding()) return
    this.#moveTo(this.#restMs)
    if (this.#events.status === 'loading') this.#becomeReady('ready')
  }

  /** A seek starts a video that is only cued, so it is paused again. */
  #moveTo(positionMs: number): void {
    const player = this.#session.player
    player?.seekTo(positionMs / 1_000, true)
    player?.pauseVideo()
  }

  #start(player: YT.Player): void {
    player.playVideo()
    clearTimeout(this.#startTimer)
    this.#startTimer = setTimeout(() => this.#block(), limits.videoStartTimeoutMs)
  }

  /** Reports blocked sound only if it should play: the initial seek may not start a video either. */
  #block(): void {
    clearTimeout(this.#startTimer)
    if (this.#isPlayWanted) this.#events.block()
  }

  #isSounding(): boolean {
    return this.#events.status === 'playing' || this.#events.status === 'buffering'
  }

  /** Before it has played, the player may report 0 although it is cued elsewhere. */
  #positionMs(): number {
    const { status } = this.#events
    const player = this.#session.player
    const isResting = status === 'loading' || status === 'ready' || status === 'error'
    return player && !isResting ? readMs(() => player.getCurrentTime(), this.#restMs) : this.#restMs
  }

  #statedRate(): number {
    return this.#session.player?.getPlaybackRate() ?? 1
  }
}

/** Reads a time of the player in ms. Contrary to its types, the player returns nothing until its frame has answered. */
function readMs(read: () => number | undefined, fallbackMs: number): number {
  const seconds = read()
  return seconds !== undefined && Number.isFinite(seconds) ? seconds * 1_000 : fallbackMs
}

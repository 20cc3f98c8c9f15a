import { states, type EmbedPlayer } from './embed-player.ts'
import { listedRates } from './rates.ts'
import { apiInterface, type PlayerEventName, type PlayerInfo, type ToFrame } from './widget-protocol.ts'

/** The page that a frame serves, as the frame's address names it. */
export interface WidgetPage {
  /** The `origin` of the frame's address; `*` without one. */
  origin: string
  widgetId: number
}

/** Intervals between position updates, as measured at the real player: 257 to 275 ms. */
const updateIntervalsMs = [257, 265, 275, 262]

/** Connects a player with the script in the page around the frame. */
export class WidgetPort {
  readonly #page: WidgetPage
  readonly #player: () => EmbedPlayer
  readonly #listenedTo = new Set<string>()
  /** Events from before the page could listen, which it must not miss. */
  readonly #early = new Map<string, number | null>()
  #isReady = false
  #hasDelivered = false

  constructor(page: WidgetPage, player: () => EmbedPlayer) {
    this.#page = page
    this.#player = player
    window.addEventListener('message', (message) => this.#onMessage(message))
    this.#scheduleUpdate(0)
  }

  /** Answers the page from now on. */
  becomeReady(): void {
    this.#isReady = true
  }

  /** Sends an event to the page, if it listens to it, after the values that its handler may read. */
  emit(event: PlayerEventName, data?: number): void {
    this.#sendInfo()
    if (this.#listenedTo.has(event)) this.#send(event, data ?? null)
    else if (!this.#hasDelivered && event !== 'onStateChange') this.#early.set(event, data ?? null)
  }

  #onMessage(message: MessageEvent): void {
    const isFromPage = this.#page.origin === '*' || message.origin === this.#page.origin
    if (!isFromPage || message.source !== window.parent || typeof message.data !== 'string') return
    const received = JSON.parse(message.data) as ToFrame
    if (!this.#isReady) return
    if (received.event === 'listening') this.#deliver()
    else {
      if (received.hasGesture) this.#player().hasGesture = true
      this.#obey(received.func, received.args)
    }
  }

  #deliver(): void {
    if (this.#hasDelivered) return
    this.#hasDelivered = true
    this.#send('initialDelivery', { ...this.#readInfo(), apiInterface })
  }

  #obey(func: string, args: unknown[]): void {
    const player = this.#player()
    const [first] = args
    const number = Number(first)
    if (func === 'addEventListener') this.#listen(String(first))
    else if (func === 'loadVideoById' || func === 'cueVideoById') this.#load(func === 'loadVideoById', args)
    else if (func === 'playVideo') void player.play()
    else if (func === 'pauseVideo') void player.pause()
    else if (func === 'stopVideo') void player.stop()
    else if (func === 'mute' || func === 'unMute') player.setMuted(func === 'mute')
    else if (!Number.isFinite(number)) return
    else if (func === 'seekTo') void player.seek(number)
    else if (func === 'setPlaybackRate') player.setRate(number)
    else if (func === 'setVolume') player.setVolume(number)
    this.#sendInfo()
  }

  #listen(event: string): void {
    const isNew = !this.#listenedTo.has(event)
    this.#listenedTo.add(event)
    if (!isNew) return
    if (event === 'onReady') this.#send('onReady', null)
    const early = this.#early.get(event)
    if (early !== undefined) this.#send(event, early)
    this.#early.delete(event)
  }

  /** `loadVideoById(id, startSeconds)` or `loadVideoById({ videoId, startSeconds })`. */
  #load(thenPlay: boolean, [first, second]: unknown[]): void {
    const settings =
      typeof first === 'object' && first !== null
        ? (first as YT.VideoByIdSettings)
        : { videoId: String(first), startSeconds: Number(second ?? 0) }
    void this.#player().load(settings.videoId, settings.startSeconds ?? 0, thenPlay)
  }

  #scheduleUpdate(turn: number): void {
    setTimeout(
      () => {
        if (this.#player().state === states.playing) this.#sendInfo()
        this.#scheduleUpdate(turn + 1)
      },
      updateIntervalsMs[turn % updateIntervalsMs.length],
    )
  }

  #sendInfo(): void {
    if (this.#hasDelivered) this.#send('infoDelivery', this.#readInfo())
  }

  #send(event: string, info: unknown): void {
    const { origin, widgetId } = this.#page
    window.parent.postMessage(JSON.stringify({ event, id: widgetId, channel: 'widget', info }), origin)
  }

  #readInfo(): PlayerInfo {
    const player = this.#player()
    const { video } = player
    const { volume, muted } = player.sound
    return {
      playerState: player.state,
      currentTime: player.currentTime,
      currentTimeLastUpdated_: Date.now() / 1_000,
      playbackRate: player.rate,
      availablePlaybackRates: listedRates,
      duration: player.duration,
      volume: Math.round(volume * 100),
      muted,
      videoData: {
        video_id: video?.id ?? '',
        author: video?.channelTitle ?? '',
        title: video?.title ?? '',
      },
      videoUrl: `https://www.youtube.com/watch?v=${video?.id ?? ''}`,
      videoLoadedFraction: player.isDurationKnown ? 1 : 0,
      playbackQuality: 'hd720',
      availableQualityLevels: ['hd720', 'medium', 'small', 'auto'],
    }
  }
}

import { earliest } from '@earshot/core/machines/deadlines'
import {
  initialVideoPlayer,
  stepVideoPlayer,
  type VideoPlayerEffect,
  type VideoPlayerEvent,
} from '@earshot/core/machines/video-player'
import type { UnplayableReason } from '@earshot/core/protocol/providers'
import type { VideoSurface } from './video-surface.ts'
import { openYoutubeFrame, youtubeStates, type YoutubeFrame } from './youtube-frame.ts'
import { createDueTimer } from '../../timing.ts'
import { wallNow } from '../../wall-clock.ts'

/** The video to show, and where it is to begin. */
interface VideoToShow {
  id: string
  title: string
  startMs: number
}

interface VideoSessionEvents {
  /** The player accepts commands; the video loads in it. */
  onReady(): void
  onState(state: number): void
  onAutoplayBlocked(): void
  /** The initial seek and pause are due (4.23a). */
  onSettle(): void
  /** The player is gone, or shows no video; `onReady` may follow. */
  onLost(): void
  onUnplayable(reason: UnplayableReason): void
}

/** Keeps one YouTube player in the page's place for it: creates it, retries and re-creates it as 4.23 says. */
export class VideoSession {
  readonly #surface: VideoSurface
  readonly #events: VideoSessionEvents
  readonly #unsubscribe: () => void
  #state = initialVideoPlayer
  #video: VideoToShow | null = null
  #frame: YoutubeFrame | null = null
  readonly #setTimer = createDueTimer(() => this.#send({ type: 'due' }))

  constructor(surface: VideoSurface, events: VideoSessionEvents) {
    this.#surface = surface
    this.#events = events
    const readPlace = () => this.#send({ type: 'place_changed', hasPlace: surface.getState().host !== null })
    this.#unsubscribe = surface.subscribe(({ host }, before) => {
      if (host !== before.host) readPlace()
    })
    readPlace()
  }

  /** Shows a video: cues it in the player, which is created if there is none. */
  show(video: VideoToShow): void {
    this.#video = video
    this.#send({ type: 'load', videoId: video.id })
  }

  /** The player, if it is ready for commands. */
  get player(): YT.Player | null {
    return this.#state.player === 'ready' ? (this.#frame?.player ?? null) : null
  }

  get hasFailed(): boolean {
    return this.#state.phase === 'error'
  }

  /** Creates the player anew if its frame was removed from the page. */
  checkFrame(): void {
    if (this.#frame && !this.#frame.isThere()) this.#send({ type: 'frame_removed' })
  }

  close(): void {
    this.#unsubscribe()
    this.#setTimer(null)
    this.#removeFrame()
    this.#surface.setState({ video: null, retry: null })
  }

  #send(event: VideoPlayerEvent): void {
    const { state, effects } = stepVideoPlayer(this.#state, event, wallNow())
    this.#state = state
    this.#setTimer(earliest(state.deadlines))
    const { phase, problem } = state
    this.#surface.setState({ video: { phase, problem }, retry: () => this.#retry() })
    for (const effect of effects) this.#run(effect)
  }

  #run(effect: VideoPlayerEffect): void {
    switch (effect.type) {
      case 'create':
        return this.#create()
      case 'cue':
        return this.#cue()
      case 'settle':
        return this.#events.onSettle()
      case 'unplayable':
        return this.#events.onUnplayable(effect.reason)
      case 'remove':
        return this.#removeFrame()
    }
  }

  #create(): void {
    this.#removeFrame()
    const { host } = this.#surface.getState()
    if (!host || !this.#video) return
    this.#frame = openYoutubeFrame(host, this.#video, {
      onCreated: () => this.#send({ type: 'created' }),
      onReady: () => {
        this.#send({ type: 'ready' })
        this.#events.onReady()
      },
      onState: (state) => {
        if (state === youtubeStates.playing) this.#send({ type: 'playing' })
        this.#events.onState(state)
      },
      onError: (code) => {
        this.#send({ type: 'player_error', code })
        this.#events.onLost()
      },
      onAutoplayBlocked: () => this.#events.onAutoplayBlocked(),
      onFailed: (reason) => this.#send({ type: 'load_failed', reason }),
    })
  }

  #cue(): void {
    if (!this.#video) return
    const { id: videoId, startMs } = this.#video
    this.#frame?.player?.cueVideoById({ videoId, startSeconds: startMs / 1_000 })
  }

  #removeFrame(): void {
    if (!this.#frame) return
    this.#frame.close()
    this.#frame = null
    this.#events.onLost()
  }

  #retry(): void {
    if (this.#video) this.#send({ type: 'load', videoId: this.#video.id })
  }
}

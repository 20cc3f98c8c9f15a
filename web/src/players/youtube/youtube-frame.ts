/// <reference types="youtube" />
import { openProviderFrame } from '../provider-frame.ts'

/** The events of one YouTube player. None comes after `close`. */
interface YoutubeEvents {
  /** The script is there, and the player was created. */
  onCreated(): void
  /** The player accepts commands. */
  onReady(): void
  onState(state: number): void
  onError(code: number): void
  onAutoplayBlocked(): void
  /** The script could not be loaded. */
  onFailed(reason: string): void
}

/** A YouTube player in a frame of its own. */
export interface YoutubeFrame {
  /** Null until it is ready. */
  readonly player: YT.Player | null
  /** Whether the player is there: extensions of browsers remove frames. */
  isThere(): boolean
  close(): void
}

/** The states of the IFrame API. */
export const youtubeStates = {
  unstarted: -1,
  ended: 0,
  playing: 1,
  paused: 2,
  buffering: 3,
  cued: 5,
} as const

interface YoutubeGlobals {
  YT?: typeof YT
}

/** The room has the controls: those of the player would move one listener away from it. */
const playerVars = {
  autoplay: 0,
  controls: 0,
  disablekb: 1,
  enablejsapi: 1,
  fs: 1,
  playsinline: 1,
  rel: 0,
} as const

/** An error of the frame's document is no `Error` of this one. */
const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)

/** Whether the player's own frame, inside of ours, is in its document. */
function hasFrame(player: Partial<Pick<YT.Player, 'getIframe'>>): boolean {
  return player.getIframe?.().isConnected ?? true
}

/** Loads the IFrame API inside `host` and creates a player with a video, which does not start by itself. */
export function openYoutubeFrame(
  host: HTMLElement,
  video: { id: string; startMs: number; title: string },
  events: YoutubeEvents,
): YoutubeFrame {
  const frame = openProviderFrame<YoutubeGlobals>(host, '/players/youtube', video.title)
  let isOpen = true
  let player: YT.Player | null = null
  const ifOpen = (run: () => void) => {
    if (isOpen) run()
  }
  const create = (api: typeof YT) => {
    // By its id: the element belongs to the frame's document.
    const created = new api.Player('player', {
      width: '100%',
      height: '100%',
      videoId: video.id,
      playerVars: { ...playerVars, origin: window.location.origin, start: Math.floor(video.startMs / 1_000) },
      events: {
        // Later: the player may be ready before its constructor returns.
        onReady: () =>
          queueMicrotask(() =>
            ifOpen(() => {
              player = created
              events.onReady()
            }),
          ),
        onStateChange: ({ data }) => ifOpen(() => events.onState(Number(data))),
        onError: ({ data }) => ifOpen(() => events.onError(Number(data))),
        onAutoplayBlocked: () => ifOpen(() => events.onAutoplayBlocked()),
      },
    })
    events.onCreated()
  }
  frame.ready
    .then(({ YT: api }) => {
      if (!api?.Player) throw new Error('The script of YouTube has no player')
      ifOpen(() => create(api))
    })
    .catch((error: unknown) => ifOpen(() => events.onFailed(messageOf(error))))
  return {
    get player() {
      return player
    },
    isThere: () => frame.element.isConnected && (player === null || hasFrame(player)),
    close() {
      isOpen = false
      player = null
      frame.close()
    },
  }
}

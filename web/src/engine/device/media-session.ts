import type { Track } from '@earshot/core/protocol/entities'
import { sendPlaybackCommand, type RoomActions, type RoomParts } from '../room-actions.ts'
import type { PlaybackCommand } from '../state/optimistic.ts'
import { type RoomView, soundHere, viewRoom } from '../state/room-state.ts'

export interface MediaSessionRoom extends RoomParts {
  readonly actions: Pick<RoomActions, 'pauseHere' | 'playHere' | 'positionNow'>
}

const skipSeconds = 10
const actions = [
  'play',
  'pause',
  'nexttrack',
  'previoustrack',
  'seekto',
  'seekbackward',
  'seekforward',
] as const
type Action = (typeof actions)[number]

/**
 * Shows the room's track and position in the system's media controls. For a member with the controls the media
 * keys act on the room (5.7a); for a listener, play and pause act on this device's sound only, and play takes it back from
 * another tab or device. Returns a function that stops it.
 */
export function startMediaSession(room: MediaSessionRoom): () => void {
  const session = 'mediaSession' in navigator ? navigator.mediaSession : null
  if (!session) return () => undefined
  let handled: readonly Action[] = []

  const setHandlers = (wanted: readonly Action[]) => {
    for (const action of actions) {
      if (wanted.includes(action) === handled.includes(action)) continue
      const handle = (details: MediaSessionActionDetails) => run(room, action, details)
      session.setActionHandler(action, wanted.includes(action) ? handle : null)
    }
    handled = wanted
  }
  const show = (view: RoomView | null) => {
    const track = view?.track ?? null
    session.metadata = track && toMetadata(track)
    session.playbackState = view && track ? (isSounding(view) ? 'playing' : 'paused') : 'none'
    setHandlers(view && track ? (view.mayControl ? actions : ['play', 'pause']) : [])
    session.setPositionState(view ? toPosition(view, room.actions.positionNow()) : undefined)
  }

  show(viewRoom(room.store.getState()))
  const unsubscribe = room.store.subscribe((state, previous) => {
    const [now, before] = [viewRoom(state), viewRoom(previous)]
    const isSame = now.track === before.track && now.mayControl === before.mayControl
    if (isSame && now.timeline === before.timeline && soundHere(now) === soundHere(before)) return
    show(now)
  })
  return () => {
    unsubscribe()
    show(null)
  }
}

const isSounding = (view: RoomView): boolean => view.isPlayingOrCued && soundHere(view) === 'on'

function run(
  room: MediaSessionRoom,
  action: Action,
  { seekTime, seekOffset }: MediaSessionActionDetails,
): void {
  const view = viewRoom(room.store.getState())
  if (action === 'play' && soundHere(view) !== 'on') room.actions.playHere()
  if (!view.mayControl) {
    if (action === 'pause') room.actions.pauseHere()
    return
  }
  const offsetMs = (seekOffset ?? skipSeconds) * 1_000
  const command = toCommand(action, room.actions.positionNow(), {
    seekToMs: (seekTime ?? 0) * 1_000,
    offsetMs,
  })
  // The button on the page reverts a refused or unanswered command; no further notice is needed.
  sendPlaybackCommand(room, command).catch(() => undefined)
}

function toCommand(
  action: Action,
  positionMs: number,
  { seekToMs, offsetMs }: { seekToMs: number; offsetMs: number },
): PlaybackCommand {
  switch (action) {
    case 'play':
    case 'pause':
      return { command: action }
    case 'nexttrack':
      return { command: 'next' }
    case 'previoustrack':
      return { command: 'previous' }
    case 'seekto':
      return { command: 'seek', positionMs: seekToMs }
    case 'seekbackward':
      return { command: 'seek', positionMs: Math.max(0, positionMs - offsetMs) }
    case 'seekforward':
      return { command: 'seek', positionMs: positionMs + offsetMs }
  }
}

/** Undefined, which hides the position, where the duration is unknown. */
function toPosition({ timeline }: RoomView, positionMs: number): MediaPositionState | undefined {
  const { durationMs } = timeline
  if (durationMs === null) return undefined
  return { duration: durationMs / 1_000, position: Math.min(positionMs, durationMs) / 1_000, playbackRate: 1 }
}

function toMetadata({ title, artist, album, albumArt }: Track): MediaMetadata {
  const artwork = albumArt ? [{ src: new URL(albumArt, document.baseURI).href }] : []
  return new MediaMetadata({ title, artist, album, artwork })
}

import type { Track } from '@earshot/core/protocol/entities'
import { sendOwnerCommand, type RoomContext } from './commands.ts'
import { type OwnerCommand, viewRoom } from './state/room-state.ts'

const actionCommands = {
  play: { command: 'play' },
  pause: { command: 'pause' },
  nexttrack: { command: 'next' },
  previoustrack: { command: 'previous' },
} as const satisfies Partial<Record<MediaSessionAction, OwnerCommand>>
const actions = ['play', 'pause', 'nexttrack', 'previoustrack'] as const

/**
 * Shows the room's track in the system's media controls, whose keys act on the room for its owner only (5.7a). Returns
 * a function that stops it.
 */
export function startMediaSession(room: RoomContext): () => void {
  const session = 'mediaSession' in navigator ? navigator.mediaSession : null
  if (!session) return () => undefined
  let hasHandlers = false

  const setHandlers = (isWanted: boolean) => {
    if (isWanted === hasHandlers) return
    hasHandlers = isWanted
    for (const action of actions) {
      // The button on the page reverts a refused or unanswered command; no further notice is needed.
      const send = () => void sendOwnerCommand(room, actionCommands[action]).catch(() => undefined)
      session.setActionHandler(action, isWanted ? send : null)
    }
  }
  const show = (track: Track | null, isPlaying: boolean, isOwner: boolean) => {
    session.metadata = track && toMetadata(track)
    session.playbackState = track ? (isPlaying ? 'playing' : 'paused') : 'none'
    setHandlers(track !== null && isOwner)
  }

  const { track, timeline, isOwner } = viewRoom(room.store.getState())
  show(track, timeline.isPlaying, isOwner)
  const unsubscribe = room.store.subscribe((state, previous) => {
    const [now, before] = [viewRoom(state), viewRoom(previous)]
    const isSame = now.track === before.track && now.isOwner === before.isOwner
    if (isSame && now.timeline.isPlaying === before.timeline.isPlaying) return
    show(now.track, now.timeline.isPlaying, now.isOwner)
  })
  return () => {
    unsubscribe()
    show(null, false, false)
  }
}

function toMetadata({ title, artist, album, albumArt }: Track): MediaMetadata {
  const artwork = albumArt ? [{ src: new URL(albumArt, document.baseURI).href }] : []
  return new MediaMetadata({ title, artist, album, artwork })
}

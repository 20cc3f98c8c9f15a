import { createMediaControls, type MediaHandlers } from './media-session.ts'
import { giveCommand, type RoomLink } from './commands.ts'

/** The system's media controls show the room's track, and the owner's keys act on the room. Returns what stops it. */
export function showRoomMedia(link: RoomLink): () => void {
  const give = (command: 'play' | 'pause' | 'next' | 'previous') => () => {
    // Refused or unanswered, the button on the page springs back: that says enough.
    giveCommand(link, { command }).catch(() => undefined)
  }
  const handlers: MediaHandlers = {
    play: give('play'),
    pause: give('pause'),
    nexttrack: give('next'),
    previoustrack: give('previous'),
  }
  const { store } = link
  const media = createMediaControls(() => (store.getState().isOwner ? handlers : null))
  const show = () => media.show(store.getState().track, store.getState().timeline.isPlaying)
  const unsubscribe = store.subscribe(({ track, timeline, isOwner }, before) => {
    const isSame = track === before.track && isOwner === before.isOwner
    if (!isSame || timeline.isPlaying !== before.timeline.isPlaying) show()
  })
  show()
  return () => {
    unsubscribe()
    media.close()
  }
}

import { nowPlaying } from '../../../texts.ts'
import { useRoomState } from '../use-room.ts'

/** Tells a screen reader that another track plays. */
export function TrackAnnouncer() {
  const track = useRoomState((state) => state.track)
  return (
    <p aria-live="polite" className="sr-only">
      {track ? nowPlaying.announce(track.title, track.artist) : nowPlaying.announceNothing}
    </p>
  )
}

import type { Room } from '@earshot/core/protocol/entities'
import { home } from '../../texts.ts'
import { Artwork } from '../../ui/artwork.tsx'
import { Equaliser } from '../../ui/equaliser.tsx'

const artPx = 48

/** What a room plays now, with a glyph that moves while it plays. */
export function RoomNowPlaying({ room }: { room: Room }) {
  const track = room.currentTrack
  const isPlaying = room.is_playing && track !== null
  return (
    <div className="mt-4 flex items-center gap-3 rounded-md bg-page p-3">
      <Artwork url={track?.album_art ?? null} alt="" size={artPx} seed={track?.album ?? room.name} />
      <div className="min-w-0 flex-1 text-sm">
        {track ? (
          <>
            <p className="truncate font-medium">{track.title}</p>
            <p className="truncate text-ink-muted">{track.artist}</p>
          </>
        ) : (
          <p className="text-ink-muted">{isHidden(room) ? home.hiddenTrack : home.nothingPlaying}</p>
        )}
      </div>
      {track && (
        <span className="flex items-center pr-1">
          <Equaliser isPlaying={isPlaying} className="size-5" />
          <span className="sr-only">{isPlaying ? home.playing : home.paused}</span>
        </span>
      )}
    </div>
  )
}

/** What a private room plays is not told to people who were not admitted. */
function isHidden(room: Room): boolean {
  return !room.is_public && room.current_track_id !== null
}

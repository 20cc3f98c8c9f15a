import type { Track } from '@earshot/core/protocol/entities'
import type { AlbumTrack, LibraryAlbum } from '@earshot/core/protocol/library-calls'
import { knownDurationMs } from '@earshot/core/sync/duration'
import { memo } from 'react'
import { library as texts } from '../../../../texts/library.ts'
import { formatClock } from '../../../../ui/music/format-time.ts'
import { ListInSteps } from '../list-in-steps.tsx'
import { AddButton } from '../result-item.tsx'

interface AlbumTracksProps {
  album: LibraryAlbum
  tracks: readonly AlbumTrack[]
  onAdd: (track: Track) => void
}

/** The tracks of an album with their numbers, by disc where it has several. */
export function AlbumTracks({ album, tracks, onAdd }: AlbumTracksProps) {
  const hasDiscs = tracks.some(({ disc }) => (disc ?? 1) > 1)
  return (
    <ListInSteps
      label={texts.tracksOf(album.title)}
      className="mt-3"
      items={tracks}
      renderRow={(row, index) => (
        <TrackRow
          key={row.track.id}
          row={row}
          albumArtist={album.artist}
          discHeading={hasDiscs && row.disc !== (tracks[index - 1]?.disc ?? null) ? row.disc : null}
          onAdd={onAdd}
        />
      )}
      showMore={texts.showMore}
    />
  )
}

interface TrackRowProps {
  row: AlbumTrack
  albumArtist: string
  /** The disc that begins with this track; null for none. */
  discHeading: number | null
  onAdd: (track: Track) => void
}

const TrackRow = memo(function TrackRow({ row, albumArtist, discHeading, onAdd }: TrackRowProps) {
  const { track, number } = row
  const durationMs = knownDurationMs(track)
  return (
    <li>
      {discHeading !== null && (
        <p className="pt-3 pb-1 text-xs font-medium text-ink-muted">{texts.disc(discHeading)}</p>
      )}
      <div className="flex items-center gap-3 py-1.5">
        <span className="w-6 shrink-0 text-end text-xs text-ink-muted tabular-nums">{number}</span>
        <div className="min-w-0 flex-1">
          <p dir="auto" className="truncate text-sm font-medium">
            {track.title}
          </p>
          {track.artist !== albumArtist && (
            <p dir="auto" className="truncate text-xs text-ink-muted">
              {track.artist}
            </p>
          )}
        </div>
        {durationMs !== null && (
          <span className="shrink-0 text-xs text-ink-muted tabular-nums">{formatClock(durationMs)}</span>
        )}
        <AddButton track={track} onAdd={onAdd} />
      </div>
    </li>
  )
})

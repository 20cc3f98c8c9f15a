import type { Track } from '@earshot/core/protocol/entities'
import type { AlbumTrack, LibraryAlbum } from '@earshot/core/protocol/library-calls'
import { knownDurationMs } from '@earshot/core/sync/duration'
import { limits } from '@earshot/core/limits'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { library as texts } from '../../../../texts/library.ts'
import { Artwork } from '../../../../ui/music/artwork.tsx'
import { formatClock } from '../../../../ui/music/format-time.ts'
import { ImportActions } from '../import/import-actions.tsx'
import { useImport } from '../import/use-import.ts'
import { ResultSkeletons } from '../result-item.tsx'
import { albumQuery } from '../../../../api/library-queries.ts'
import { AlbumTracks } from './album-tracks.tsx'
import { LibraryFailed, RestOfList } from './list-states.tsx'
import type { LibraryPages } from './use-library.ts'

interface AlbumPageProps {
  albumId: string
  pages: LibraryPages
  onAdd: (track: Track) => void
}

/** An album with its tracks; adds one of them, or all. */
export function AlbumPage({ albumId, pages, onAdd }: AlbumPageProps) {
  const { album, tracks, state, error, retry } = useAlbum(albumId)
  if (!album) {
    if (state === 'failed' && error) return <LibraryFailed error={error} onRetry={retry} />
    return <ResultSkeletons />
  }
  return (
    <div className="scroll-list -mx-2 min-h-48 flex-1 px-2 pt-2">
      <AlbumHead album={album} tracks={tracks} pages={pages} />
      <AddAlbum albumId={albumId} tracks={tracks} isComplete={state === 'complete'} />
      <AlbumTracks album={album} tracks={tracks} onAdd={onAdd} />
      <RestOfList isFetching={state === 'loading_rest'} isFailed={state === 'rest_failed'} onRetry={retry} />
    </div>
  )
}

interface AlbumHeadProps {
  album: LibraryAlbum
  tracks: readonly AlbumTrack[]
  pages: LibraryPages
}

function AlbumHead({ album, tracks, pages }: AlbumHeadProps) {
  const { title, artist, artistId, year, image } = album
  const totalMs = tracks.reduce((sum, { track }) => sum + (knownDurationMs(track) ?? 0), 0)
  const facts = [year, texts.trackCount(tracks.length), formatClock(totalMs)]
  return (
    <div className="flex items-end gap-4">
      <Artwork url={image} alt="" size={112} seed={title} className="rounded-md" />
      <div className="min-w-0 flex-1">
        <h3 dir="auto" className="line-clamp-3 font-semibold wrap-anywhere">
          {title}
        </h3>
        {artistId === null ? (
          <p dir="auto" className="truncate text-sm text-ink-muted">
            {artist || texts.unknownArtist}
          </p>
        ) : (
          <button
            type="button"
            dir="auto"
            onClick={() => pages.open({ kind: 'artist', id: artistId })}
            className="block max-w-full truncate py-1 text-sm text-brand-text hover:underline pointer-coarse:py-2.5"
          >
            {artist}
          </button>
        )}
        <p className="truncate text-xs text-ink-muted tabular-nums">
          {facts.filter((fact) => fact !== null).join(' · ')}
        </p>
      </div>
    </div>
  )
}

interface AddAlbumProps {
  albumId: string
  tracks: readonly AlbumTrack[]
  isComplete: boolean
}

/** Adds the tracks of an album that were not added yet in this visit, in its order. */
function AddAlbum({ albumId, tracks, isComplete }: AddAlbumProps) {
  const { progress, start, retry, cancel } = useImport({ source: 'library', id: albumId })
  const waiting = new Set(progress.parts.flatMap((part) => part.trackIds))
  const left = tracks
    .map(({ track }) => track.id)
    .filter((id) => !waiting.has(id) && !(id in progress.outcomes))
  return (
    <ImportActions
      progress={progress}
      selectedCount={isComplete ? left.length : 0}
      addLabel={left.length === tracks.length ? texts.addAlbum : texts.addRest(left.length)}
      onAdd={() => start(left)}
      onRetry={retry}
      onCancel={cancel}
    />
  )
}

interface LoadedAlbum {
  /** Null until it is known. */
  album: LibraryAlbum | null
  /** Of all pages so far, each once. */
  tracks: readonly AlbumTrack[]
  state: 'loading' | 'failed' | 'loading_rest' | 'rest_failed' | 'complete'
  error: Error | null
  /** Loads what failed. */
  retry: () => void
}

/** Loads an album page by page, up to as many tracks as a queue holds. */
function useAlbum(albumId: string): LoadedAlbum {
  const query = useInfiniteQuery(albumQuery(albumId))
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = query
  const tracks = useMemo(() => {
    const all = data?.pages.flatMap((page) => page.tracks) ?? []
    return [...new Map(all.map((each) => [each.track.id, each])).values()].slice(0, limits.queueMaxLength)
  }, [data])
  const hasRest = hasNextPage && tracks.length < limits.queueMaxLength
  useEffect(() => {
    if (hasRest && !isFetching && error === null) void fetchNextPage()
  }, [hasRest, isFetching, error, fetchNextPage])
  const isWaiting = isFetching || error === null
  const whileIncomplete = data ? (['loading_rest', 'rest_failed'] as const) : (['loading', 'failed'] as const)
  return {
    album: data?.pages[0]?.album ?? null,
    tracks,
    state: data && !hasRest ? 'complete' : whileIncomplete[isWaiting ? 0 : 1],
    error,
    retry: () => void (data ? fetchNextPage() : refetch()),
  }
}

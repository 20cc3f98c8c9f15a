import type { AlbumTrack, LibraryAlbum } from '@earshot/core/protocol/library-calls'
import { limits } from '@earshot/core/limits'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { albumQuery } from '../../../../api/library-queries.ts'

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
export function useAlbum(albumId: string): LoadedAlbum {
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

import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import type { Playlist, PlaylistPage } from '@earshot/core/protocol/providers'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { playlistQuery } from '../../../../api/provider-queries.ts'

interface PlaylistTracks {
  /** Each track once. */
  tracks: readonly Track[]
  skipped: PlaylistPage['skipped']
  state: 'loading' | 'failed' | 'loading_rest' | 'rest_failed' | 'cut_off' | 'complete'
  error: Error | null
  /** Loads what failed. */
  retry: () => void
}

/** Bounds the requests for a playlist whose parts are small or empty. */
const maxPages = 100

/** Loads a playlist part by part, up to as many tracks as a queue holds. */
export function usePlaylistTracks(playlist: Playlist, firstPage?: PlaylistPage): PlaylistTracks {
  const query = useInfiniteQuery(playlistQuery(playlist.source, playlist.id, firstPage))
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = query
  const pages = useMemo(() => data?.pages ?? [], [data])
  const tracks = useMemo(
    () => [...new Map(pages.flatMap((page) => page.tracks).map((track) => [track.id, track])).values()],
    [pages],
  )
  const isFull = tracks.length >= limits.queueMaxLength || pages.length >= maxPages
  const isRestDue = data !== undefined && hasNextPage && !isFull && !isFetching && error === null
  useEffect(() => {
    if (isRestDue) void fetchNextPage()
  }, [isRestDue, fetchNextPage])

  const readState = (): PlaylistTracks['state'] => {
    if (!data) return error && !isFetching ? 'failed' : 'loading'
    if (!hasNextPage) return 'complete'
    if (isFull) return 'cut_off'
    return error && !isFetching ? 'rest_failed' : 'loading_rest'
  }
  return {
    tracks: tracks.slice(0, limits.queueMaxLength),
    skipped: pages.flatMap((page) => page.skipped),
    state: readState(),
    error,
    retry: () => void (data ? fetchNextPage() : refetch()),
  }
}

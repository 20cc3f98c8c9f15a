import type { Playlist, PlaylistPage } from '@earshot/core/protocol/providers'
import { ListMusic, SearchX } from 'lucide-react'
import { useCallback, useMemo, useState, useEffect } from 'react'
import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import { useInfiniteQuery } from '@tanstack/react-query'
import { findMusic } from '../../../../texts/find-music.ts'
import { playlistImport as texts } from '../../../../texts/playlist-import.ts'
import { providerMessage } from '../../../../texts/provider-messages.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { Dialog } from '../../../../ui/popups/dialog.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { TrackSource } from '../../../../ui/music/track-source.tsx'
import { describeRestriction, ResultSkeletons } from '../result-item.tsx'
import { describeError } from '../../../../api/describe-error.ts'
import { playlistQuery } from '../../../../api/provider-queries.ts'
import { ImportActions } from './import-actions.tsx'
import { PlaylistTrackList } from './playlist-track-list.tsx'
import { allSelected, isSelected, noneSelected, toggle } from './track-selection.ts'
import { useImport } from './use-import.ts'

export interface PlaylistPreviewProps {
  playlist: Playlist
  /** Where it is known already. */
  firstPage?: PlaylistPage
  onClose: () => void
}

/** Shows the tracks of a playlist and adds the selected ones to the queue. */
export function PlaylistPreview({ playlist, firstPage, onClose }: PlaylistPreviewProps) {
  const { name, trackCount, ownerName, source } = playlist
  const facts = [
    trackCount === null ? null : texts.tracks(trackCount),
    ownerName ? texts.by(ownerName) : null,
  ].filter((fact) => fact !== null)
  return (
    <Dialog isOpen onClose={onClose} title={name}>
      <p className="-mt-3 mb-4 flex flex-wrap items-center gap-x-3 text-sm text-ink-muted">
        <TrackSource track={{ title: name, source, url: playlistPageOf(playlist) }} />
        {facts.length > 0 && <span>{facts.join(' · ')}</span>}
      </p>
      <PreviewTracks playlist={playlist} firstPage={firstPage} />
    </Dialog>
  )
}

function playlistPageOf({ source, id }: Playlist): string | null {
  if (source === 'spotify') return `https://open.spotify.com/playlist/${encodeURIComponent(id)}`
  return source === 'youtube' ? `https://www.youtube.com/playlist?list=${encodeURIComponent(id)}` : null
}

function PreviewTracks({ playlist, firstPage }: Omit<PlaylistPreviewProps, 'onClose'>) {
  const loaded = usePlaylistTracks(playlist, firstPage)
  const { tracks, skipped, state } = loaded
  const { progress, start, retry, cancel } = useImport(playlist)
  const [selection, setSelection] = useState(allSelected)
  const waiting = useMemo(() => new Set(progress.parts.flatMap((part) => part.trackIds)), [progress.parts])
  const selectable = tracks.filter(
    (track) =>
      describeRestriction(track) === null && !waiting.has(track.id) && !(track.id in progress.outcomes),
  )
  const selectedIds = selectable.filter(({ id }) => isSelected(selection, id)).map(({ id }) => id)
  const onToggle = useCallback((id: string) => setSelection((before) => toggle(before, id)), [])

  if (state === 'loading') return <ResultSkeletons />
  if (state === 'failed' && loaded.error)
    return (
      <EmptyState
        icon={SearchX}
        title={texts.failed}
        text={describeError(loaded.error, findMusic.failedText)}
      >
        <Button size="sm" onClick={loaded.retry}>
          {findMusic.retry}
        </Button>
      </EmptyState>
    )
  return (
    <>
      {tracks.length === 0 && state === 'complete' && <EmptyState icon={ListMusic} title={texts.empty} />}
      {selectable.length > 0 && (
        <div className="mb-2 flex flex-wrap items-center gap-x-1 text-sm text-ink-muted">
          <span className="me-auto">{texts.selected(selectedIds.length)}</span>
          <Button size="sm" tone="quiet" onClick={() => setSelection(allSelected)}>
            {texts.selectAll}
          </Button>
          <Button size="sm" tone="quiet" onClick={() => setSelection(noneSelected)}>
            {texts.selectNone}
          </Button>
        </div>
      )}
      <PlaylistTrackList
        tracks={tracks}
        selection={selection}
        waiting={waiting}
        outcomes={progress.outcomes}
        onToggle={onToggle}
      />
      <LoadingState loaded={loaded} trackCount={playlist.trackCount} />
      <Skipped entries={skipped} />
      <ImportActions
        progress={progress}
        selectedCount={selectedIds.length}
        onAdd={() => start(selectedIds)}
        onRetry={retry}
        onCancel={cancel}
      />
    </>
  )
}

interface LoadingStateProps {
  loaded: ReturnType<typeof usePlaylistTracks>
  trackCount: number | null
}

function LoadingState({ loaded: { state, tracks, retry }, trackCount }: LoadingStateProps) {
  if (state === 'loading_rest')
    return (
      <output className="mt-3 block text-sm text-ink-muted">
        {texts.loadingRest(tracks.length, trackCount)}
      </output>
    )
  if (state === 'cut_off') return <p className="mt-3 text-sm text-ink-muted">{texts.cutOff(tracks.length)}</p>
  if (state !== 'rest_failed') return null
  return (
    <p role="alert" className="mt-3 flex items-center justify-between gap-3 text-sm text-caution">
      {texts.restFailed}
      <Button size="sm" onClick={retry}>
        {texts.loadRest}
      </Button>
    </p>
  )
}

/** The entries of a playlist that are no playable track, each with its reason. */
function Skipped({ entries }: { entries: PlaylistPage['skipped'] }) {
  if (entries.length === 0) return null
  return (
    <details className="mt-3 text-sm text-ink-muted">
      <summary className="rounded-sm py-1 select-none hover:text-ink">
        {texts.skipped(entries.length)}
      </summary>
      <ul className="mt-1 max-h-32 overflow-y-auto">
        {entries.map(({ title, reason }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the entries of a playlist may repeat
          <li key={index} className="flex gap-2 py-0.5">
            <span dir="auto" className="min-w-0 flex-1 truncate text-ink">
              {title}
            </span>
            <span className="shrink-0">{providerMessage(reason) ?? findMusic.restrictedOther}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

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
function usePlaylistTracks(playlist: Playlist, firstPage?: PlaylistPage): PlaylistTracks {
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

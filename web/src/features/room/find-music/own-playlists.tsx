import { limits } from '@earshot/core/limits'
import type { Playlist } from '@earshot/core/protocol/providers'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ListMusic, ListPlus, SearchX } from 'lucide-react'
import { describeError } from '../../../api/describe-error.ts'
import { ownPlaylistsQuery } from '../../../api/provider-queries.ts'
import { countImport, type ImportProgress } from '../../../engine/import/import-progress.ts'
import { findMusic as texts } from '../../../texts/find-music.ts'
import { playlistImport } from '../../../texts/playlist-import.ts'
import { Artwork } from '../../../ui/music/artwork.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { HintedButton } from '../../../ui/controls/hinted-button.tsx'
import { useDraft } from '../use-draft.tsx'
import { PlaylistPreview } from './import/preview-on-demand.tsx'
import { useImport } from './import/use-import.ts'
import { PagedList } from './paged-list.tsx'
import { ResultSkeletons } from './result-item.tsx'

/** Lists the user's own Spotify playlists; each opens the preview of its import. */
export function OwnPlaylists() {
  const query = useInfiniteQuery(ownPlaylistsQuery)
  const [openId, setOpenId] = useDraft('preview')
  if (query.isPending || (query.isFetching && !query.data)) return <ResultSkeletons />
  if (!query.data) {
    return (
      <EmptyState
        icon={SearchX}
        title={texts.playlistsFailed}
        text={describeError(query.error, texts.noPlaylistsText)}
      >
        <Button size="sm" onClick={() => void query.refetch()}>
          {texts.retry}
        </Button>
      </EmptyState>
    )
  }
  const playlists = query.data.pages.flatMap((page) => page.playlists)
  if (playlists.length === 0)
    return <EmptyState icon={ListMusic} title={texts.noPlaylists} text={texts.noPlaylistsText} />
  const opened = playlists.find((playlist) => playlist.id === openId)
  return (
    <>
      <PagedList heading={texts.playlists} query={query}>
        {playlists.map((playlist) => (
          <PlaylistItem key={playlist.id} playlist={playlist} onOpen={() => setOpenId(playlist.id)} />
        ))}
      </PagedList>
      {opened && <PlaylistPreview playlist={opened} onClose={() => setOpenId('')} />}
    </>
  )
}

interface PlaylistItemProps {
  playlist: Playlist
  onOpen: () => void
}

/** A playlist with the button that opens its preview. */
export function PlaylistItem({ playlist, onOpen }: PlaylistItemProps) {
  const { name, image, trackCount, ownerName } = playlist
  const importing = describeProgress(useImport(playlist).progress)
  const facts = [
    trackCount === null ? null : playlistImport.tracks(trackCount),
    ownerName ? playlistImport.by(ownerName) : null,
  ]
  return (
    <li className="flex items-center gap-3 py-2">
      <Artwork url={image} alt="" size={limits.albumArtSmallPx} seed={name} />
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate text-sm font-medium">
          {name}
        </p>
        <p dir="auto" className="truncate text-xs text-ink-muted">
          {facts.filter(Boolean).join(' · ')}
        </p>
        {importing !== null && (
          <p dir="auto" className="truncate text-xs text-brand-text">
            {importing}
          </p>
        )}
      </div>
      <HintedButton size="sm" label={texts.preview(name)} onClick={onOpen}>
        <ListPlus aria-hidden />
      </HintedButton>
    </li>
  )
}

/** Returns how far an import is that its preview no longer shows; null without one. */
function describeProgress(progress: ImportProgress): string | null {
  const { total, waiting, inQueue } = countImport(progress)
  if (total === 0) return null
  if (progress.isRunning) return playlistImport.adding(total - waiting, total)
  return waiting > 0 ? playlistImport.stopped(waiting) : playlistImport.done(inQueue)
}

import type { Track } from '@earshot/core/protocol/entities'
import { useQuery } from '@tanstack/react-query'
import { Link2Off } from 'lucide-react'
import { describeError } from '../../../api/describe-error.ts'
import { linkQuery } from '../../../api/provider-queries.ts'
import { findMusic as texts } from '../../../texts/find-music.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useDraft } from '../use-draft.tsx'
import { PlaylistPreview } from './import/preview-on-demand.tsx'
import { PlaylistItem } from './own-playlists.tsx'
import { ResultItem, ResultSkeletons } from './result-item.tsx'

export interface LinkResultProps {
  url: string
  onAdd: (track: Track) => void
}

/** Shows what a pasted link leads to: a track to add, or a playlist, whose preview opens at once. */
export function LinkResult({ url, onAdd }: LinkResultProps) {
  const { data: target, error, isFetching, refetch } = useQuery(linkQuery(url))
  const [openId, setOpenId] = useDraft('preview')
  if (!target) {
    if (isFetching || !error) return <ResultSkeletons count={1} />
    return (
      <EmptyState icon={Link2Off} title={texts.linkFailed} text={describeError(error, texts.failedText)}>
        <Button size="sm" onClick={() => void refetch()}>
          {texts.retry}
        </Button>
      </EmptyState>
    )
  }
  return (
    <>
      <h3 className="mt-4 mb-1 text-xs font-medium text-ink-muted">{texts.linkResult}</h3>
      <ul aria-label={texts.linkResult}>
        {target.kind === 'track' ? (
          <ResultItem track={target.track} onAdd={onAdd} />
        ) : (
          <PlaylistItem playlist={target.page.playlist} onOpen={() => setOpenId(url)} />
        )}
      </ul>
      {target.kind === 'playlist' && openId === url && (
        <PlaylistPreview
          playlist={target.page.playlist}
          firstPage={target.page}
          onClose={() => setOpenId('')}
        />
      )}
    </>
  )
}

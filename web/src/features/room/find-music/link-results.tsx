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

export interface LinkResultsProps {
  urls: readonly string[]
  onAdd: (track: Track) => void
}

/** As many as are read at once: each is a call of the provider. */
const shownAtMost = 10

/** Shows what pasted links lead to. */
export function LinkResults({ urls, onAdd }: LinkResultsProps) {
  return (
    <>
      {urls.slice(0, shownAtMost).map((url, index) => (
        <LinkResult key={url} url={url} isFirst={index === 0} onAdd={onAdd} />
      ))}
      {urls.length > shownAtMost && (
        <p className="mt-4 text-xs text-ink-muted">{texts.linksOmitted(shownAtMost, urls.length)}</p>
      )}
    </>
  )
}

interface LinkResultProps {
  url: string
  /** Of several, only the first has a heading. */
  isFirst: boolean
  onAdd: (track: Track) => void
}

/** Shows what a pasted link leads to: a track to add, or a playlist, whose preview opens at once where it is the only one. */
function LinkResult({ url, isFirst, onAdd }: LinkResultProps) {
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
      {isFirst && <h3 className="mt-4 mb-1 text-xs font-medium text-ink-muted">{texts.linkResult}</h3>}
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

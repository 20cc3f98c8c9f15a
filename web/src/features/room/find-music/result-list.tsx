import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { findMusic as texts } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { withArrowKeys } from '../../../ui/list-keys.ts'
import { notify } from '../../../ui/notify.ts'
import { ResultItem } from './result-item.tsx'
import { ResultSkeletons } from './result-skeletons.tsx'

interface ResultListProps {
  heading: string
  query: UseInfiniteQueryResult<InfiniteData<{ tracks: Track[] }>>
  /** What shows where nothing was found. */
  children: ReactNode
}

/** Tracks in pages, each with its add button (2.26c). */
export function ResultList({ heading, query, children }: ResultListProps) {
  const { errorUpdatedAt, isError, isPending } = query
  useEffect(() => {
    if (errorUpdatedAt > 0) notify({ kind: 'error', title: texts.failedTitle, text: texts.failedText })
  }, [errorUpdatedAt])
  if (isPending) return <ResultSkeletons />
  const tracks = query.data?.pages.flatMap((page) => page.tracks) ?? []
  if (tracks.length === 0) return isError ? <Failed onRetry={() => void query.refetch()} /> : children
  return (
    <>
      <h3 className="mt-4 mb-1 text-xs font-medium text-ink-muted">{heading}</h3>
      <ul
        aria-label={heading}
        ref={withArrowKeys}
        style={{ maxHeight: limits.resultsListHeightPx }}
        className="-mx-2 scroll-list px-2"
      >
        {tracks.map((track) => (
          <ResultItem key={track.id} track={track} />
        ))}
        {query.hasNextPage && (
          <li className="pt-2 pb-1 text-center">
            <Button size="sm" isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {texts.more}
            </Button>
          </li>
        )}
      </ul>
    </>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <EmptyState icon={SearchX} title={texts.failedInList}>
      <Button size="sm" onClick={onRetry}>
        {texts.retry}
      </Button>
    </EmptyState>
  )
}

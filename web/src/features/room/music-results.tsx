import { limits } from '@earshot/core/limits'
import type { Source } from '@earshot/core/protocol/entities'
import { useInfiniteQuery } from '@tanstack/react-query'
import { LibraryBig, Search, SearchX } from 'lucide-react'
import { useEffect } from 'react'
import { tracksQuery } from '../../api/queries.ts'
import { findMusic as texts, sourceNames } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { withArrowKeys } from '../../ui/list-keys.ts'
import { notify } from '../../ui/notify.ts'
import { ResultItem } from './result-item.tsx'
import { ResultSkeletons } from './result-skeletons.tsx'

interface MusicResultsProps {
  source: Source
  /** Empty while nothing was searched: the library shows as it stands. */
  words: string
}

export function MusicResults({ source, words }: MusicResultsProps) {
  const isBrowsing = words === ''
  const query = useInfiniteQuery({
    ...tracksQuery(source, words),
    enabled: !isBrowsing || source === 'library',
  })
  const { errorUpdatedAt, isError, isPending, isFetchingNextPage, hasNextPage } = query
  useEffect(() => {
    if (errorUpdatedAt > 0) notify({ kind: 'error', title: texts.failedTitle, text: texts.failedText })
  }, [errorUpdatedAt])
  if (isBrowsing && source !== 'library') {
    return <EmptyState icon={Search} title={texts.searchFirst(sourceNames[source])} />
  }
  if (isPending) return <ResultSkeletons />
  const tracks = query.data?.pages.flatMap((page) => page.tracks) ?? []
  if (isError && tracks.length === 0) {
    return (
      <EmptyState icon={SearchX} title={texts.failedInList}>
        <Button size="sm" onClick={() => void query.refetch()}>
          {texts.retry}
        </Button>
      </EmptyState>
    )
  }
  if (tracks.length === 0) return <NoResults isBrowsing={isBrowsing} />
  const heading = isBrowsing ? texts.browse : texts.results
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
        {hasNextPage && (
          <li className="pt-2 pb-1 text-center">
            <Button size="sm" isBusy={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {texts.more}
            </Button>
          </li>
        )}
      </ul>
    </>
  )
}

function NoResults({ isBrowsing }: { isBrowsing: boolean }) {
  if (isBrowsing)
    return <EmptyState icon={LibraryBig} title={texts.emptyLibrary} text={texts.emptyLibraryText} />
  return <EmptyState icon={SearchX} title={texts.noResults} text={texts.noResultsText} />
}

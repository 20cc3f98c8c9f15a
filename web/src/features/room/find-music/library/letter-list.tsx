import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useCallback } from 'react'
import { library as texts } from '../../../../texts/library.ts'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { ResultSkeletons } from '../result-item.tsx'
import { LibraryFailed, RestOfList } from './list-states.tsx'

interface LetterListProps<Page, Item> {
  /** The letter at which the list starts; empty for all. */
  from: string
  query: UseInfiniteQueryResult<InfiniteData<Page>>
  itemsOf: (page: Page) => readonly Item[]
  /** Of an empty list. */
  icon: LucideIcon
  /** Draws the items; `onEnd` loads more of them. */
  children: (items: readonly Item[], onEnd: () => void) => ReactNode
}

/**
 * A list of the library in pages: while it loads, where it fails or is empty, and with the rest that loads on the way
 * down.
 */
export function LetterList<Page, Item>(props: LetterListProps<Page, Item>) {
  const { from, query, itemsOf, icon, children } = props
  const { data, error, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
  if (!data) {
    if (error && !isFetching) return <LibraryFailed error={error} onRetry={() => void query.refetch()} />
    return <ResultSkeletons />
  }
  const items = data.pages.flatMap(itemsOf)
  if (items.length === 0) {
    if (from !== '') return <EmptyState icon={icon} title={texts.nothingFrom(from.toUpperCase())} />
    return <EmptyState icon={icon} title={texts.empty} text={texts.emptyText} />
  }
  return (
    <>
      {children(items, loadMore)}
      <RestOfList
        isFetching={query.isFetchingNextPage}
        isFailed={isFetchNextPageError}
        onRetry={() => void fetchNextPage()}
      />
    </>
  )
}

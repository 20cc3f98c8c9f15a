import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { findMusic as texts } from '../../../texts/find-music.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { withArrowKeys } from '../../../ui/controls/list-keys.ts'

interface PagedListProps {
  heading: string
  query: UseInfiniteQueryResult<InfiniteData<unknown>>
  /** The items of all pages so far. */
  children: ReactNode
}

/** Lists the items of a query under a heading, and loads the next page on request. */
export function PagedList({ heading, query, children }: PagedListProps) {
  return (
    <>
      <h3 className="mt-4 mb-1 text-xs font-medium text-ink-muted">{heading}</h3>
      <ul aria-label={heading} ref={withArrowKeys} className="scroll-list -mx-2 min-h-48 flex-1 px-2">
        {children}
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

import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useDeferredValue, useState, type ReactNode } from 'react'
import { admin as texts } from '../../texts/admin.ts'
import { common } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { TryAgain } from '../../ui/try-again.tsx'

interface AdminListProps<Page> {
  searchLabel: string
  emptyText: string
  useList: (q: string) => UseInfiniteQueryResult<{ pages: Page[] }>
  /** Draws the entries of the pages loaded so far. */
  children: (pages: Page[]) => ReactNode
}

/** A searchable list that loads further pages on demand. */
export function AdminList<Page extends { total: number }>(props: AdminListProps<Page>) {
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  return (
    <>
      <TextField
        label={props.searchLabel}
        type="search"
        name="search"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Pages {...props} q={q} />
    </>
  )
}

function Pages<Page extends { total: number }>({
  q,
  emptyText,
  useList,
  children,
}: AdminListProps<Page> & { q: string }) {
  const { data, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useList(q)
  const total = data?.pages[0]?.total
  if (isError)
    return <TryAgain title={texts.loadFailed} text={texts.loadFailedText} onRetry={() => void refetch()} />
  if (!data || total === undefined)
    return (
      <output aria-label={common.loading} className="mt-5 block">
        <Skeleton className="h-60 rounded-xl" />
      </output>
    )
  if (total === 0) return <EmptyState icon={SearchX} title={emptyText} />
  return (
    <>
      <p className="mt-3 mb-2 text-sm text-ink-muted">{texts.total(total)}</p>
      <ul className="divide-y divide-line rounded-xl bg-surface px-5 ring-1 ring-line ring-inset">
        {children(data.pages)}
      </ul>
      {hasNextPage && (
        <div className="mt-5 flex justify-center">
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.more}
          </Button>
        </div>
      )}
    </>
  )
}

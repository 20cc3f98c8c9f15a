import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { EllipsisVertical, SearchX } from 'lucide-react'
import { useDeferredValue, useState, type ReactNode } from 'react'
import { admin as texts } from '../../texts/admin.ts'
import { common } from '../../texts/common.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { Menu } from '../../ui/popups/menu.tsx'
import type { MenuChoice } from '../../ui/popups/menu-popup.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { TryAgain } from '../../ui/controls/try-again.tsx'

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
      <div className="max-w-2xl">
        <TextField
          label={props.searchLabel}
          type="search"
          name="search"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
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
  const { data, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } =
    useList(q)
  const total = data?.pages[0]?.total
  if (isError && !data)
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
        <div className="mt-5 flex flex-wrap items-center justify-center gap-3">
          {isFetchNextPageError && (
            <p role="alert" className="text-sm text-caution">
              {texts.loadFailed}
            </p>
          )}
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.more}
          </Button>
        </div>
      )}
    </>
  )
}

interface AdminListItemProps {
  name: string
  badges: ReactNode
  /** Shown below the name; a line breaks between them only. */
  facts: readonly string[]
  isBusy?: boolean
  choices: readonly MenuChoice[]
  /** The dialogs that the choices open. */
  children: ReactNode
}

/** An entry with its actions in a menu. */
export function AdminListItem({ name, badges, facts, isBusy, choices, children }: AdminListItemProps) {
  return (
    <li
      aria-busy={isBusy}
      className="flex items-center justify-between gap-3 py-3 transition-opacity aria-busy:opacity-60"
    >
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <span className="wrap-anywhere">{name}</span>
          {badges}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-4 text-sm text-ink-muted">
          {facts.map((fact) => (
            <span key={fact} className="wrap-anywhere">
              {fact}
            </span>
          ))}
        </p>
      </div>
      <Menu
        trigger={
          <IconButton label={texts.actionsOf(name)} className="-me-3">
            <EllipsisVertical aria-hidden />
          </IconButton>
        }
        choices={choices}
      />
      {children}
    </li>
  )
}

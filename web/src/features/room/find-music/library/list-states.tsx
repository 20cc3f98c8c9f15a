import { hasCode } from '@earshot/core/protocol/errors'
import { SearchX } from 'lucide-react'
import { describeError } from '../../../../api/describe-error.ts'
import { library as texts } from '../../../../texts/library.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'

interface LibraryFailedProps {
  error: Error
  onRetry: () => void
}

/** Says why a page of the library cannot be shown. */
export function LibraryFailed({ error, onRetry }: LibraryFailedProps) {
  const isGone = hasCode(error, 'not_found')
  return (
    <EmptyState
      icon={SearchX}
      title={isGone ? texts.notFound : texts.failed}
      text={isGone ? undefined : describeError(error, texts.failedText)}
    >
      <Button size="sm" onClick={onRetry}>
        {texts.retry}
      </Button>
    </EmptyState>
  )
}

interface RestOfListProps {
  isFetching: boolean
  isFailed: boolean
  /** Says that it failed. */
  text?: string
  onRetry: () => void
}

/** Tells under a list whether more of it loads, or failed to. */
export function RestOfList({ isFetching, isFailed, text = texts.restFailed, onRetry }: RestOfListProps) {
  if (isFetching) return <output className="mt-2 block text-sm text-ink-muted">{texts.loading}</output>
  if (!isFailed) return null
  return (
    <p role="alert" className="mt-2 flex items-center justify-between gap-3 text-sm text-caution">
      {text}
      <Button size="sm" onClick={onRetry}>
        {texts.retry}
      </Button>
    </p>
  )
}

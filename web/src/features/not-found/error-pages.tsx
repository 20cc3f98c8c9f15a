import { CircleAlert, Compass } from 'lucide-react'
import { Link } from 'react-router'
import { common } from '../../texts/common.ts'
import { Button, buttonLook } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { CodeLoadError } from '../../ui/loading/load-code.ts'
import { PageNotice } from '../../ui/notices/page-notice.tsx'
import { PageTitle } from '../../ui/page/page-title.tsx'

/** The page for unknown addresses. */
export function NotFoundPage() {
  return (
    <>
      <PageTitle name={common.pageNotFound} />
      <PageNotice icon={Compass} title={common.pageNotFound} text={common.pageNotFoundText}>
        <Link to="/" className={buttonLook({ tone: 'primary' })}>
          {common.returnHome}
        </Link>
      </PageNotice>
    </>
  )
}

/** Replaces a screen that failed to render, or whose code could not be loaded (12.8, 17.87). */
export function BrokenPage({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const isUnloaded = error instanceof CodeLoadError
  return (
    <EmptyState
      icon={CircleAlert}
      title={isUnloaded ? common.unloadedTitle : common.unexpectedTitle}
      text={isUnloaded ? common.unloadedText : common.unexpectedText}
      className="min-h-[60dvh]"
    >
      {isUnloaded && onRetry && (
        <Button tone="primary" onClick={onRetry}>
          {common.tryAgain}
        </Button>
      )}
      <Button onClick={() => window.location.reload()}>{common.reload}</Button>
    </EmptyState>
  )
}

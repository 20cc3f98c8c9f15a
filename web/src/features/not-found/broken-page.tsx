import { CircleAlert } from 'lucide-react'
import { common } from '../../texts/common.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { CodeLoadError } from '../../ui/loading/load-code.ts'

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

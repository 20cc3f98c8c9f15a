import { CircleAlert } from 'lucide-react'
import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { common } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/** Replaces a screen that failed to render or to download. */
export function BrokenPage() {
  const error = useRouteError()
  useEffect(() => reportError(error), [error])
  return (
    <EmptyState
      icon={CircleAlert}
      title={common.unexpectedTitle}
      text={common.unexpectedText}
      className="min-h-[60dvh]"
    >
      <Button tone="primary" onClick={() => window.location.reload()}>
        {common.reload}
      </Button>
    </EmptyState>
  )
}

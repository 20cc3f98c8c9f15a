import { CircleAlert } from 'lucide-react'
import { common } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { CodeLoadError } from '../../ui/load-code.ts'
import { PageNotice } from '../../ui/page-notice.tsx'

/** Replaces a screen that failed to render, or whose code could not be loaded (12.8, 17.87). */
export function BrokenPage({ error }: { error: unknown }) {
  const isUnloaded = error instanceof CodeLoadError
  return (
    <PageNotice
      icon={CircleAlert}
      title={isUnloaded ? common.unloadedTitle : common.unexpectedTitle}
      text={isUnloaded ? common.unloadedText : common.unexpectedText}
    >
      <Button tone="primary" onClick={() => window.location.reload()}>
        {common.reload}
      </Button>
    </PageNotice>
  )
}

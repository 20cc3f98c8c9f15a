import { useEffect, useState, type ComponentType } from 'react'
import { common, debugTools as texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/**
 * Loads the debug tools when they are first shown. They are wanted most when the server is gone: that they could not
 * be loaded must not take the room off the page, as it would with `lazy`.
 */
export function DebugToolsOnDemand() {
  const [loaded, setLoaded] = useState<{ DebugTools: ComponentType } | null>(null)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (!loaded && !hasFailed) import('../room-debug/debug-tools.tsx').then(setLoaded, () => setFailed(true))
  }, [loaded, hasFailed])
  if (loaded) return <loaded.DebugTools />
  if (!hasFailed) {
    return (
      <output aria-label={common.loading}>
        <Skeleton className="h-64 rounded-xl" />
      </output>
    )
  }
  return (
    <div role="alert" className="flex flex-wrap items-center gap-4 rounded-xl bg-surface p-5">
      <p className="text-sm text-ink-muted">{texts.loadFailed}</p>
      <Button size="sm" onClick={() => setFailed(false)}>
        {texts.retry}
      </Button>
    </div>
  )
}

import { type ComponentType, type ReactNode, Suspense, useState } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'
import { lazyCode, loadCode } from './load-code.ts'
import { common } from '../../texts/common.ts'
import { TryAgain } from '../controls/try-again.tsx'

/**
 * Returns a component whose code loads when it is first drawn. Where that fails, it says so in its place and offers to
 * try again; the rest of the page stays.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): ComponentType<Props> & { loadAhead: () => Promise<unknown> } {
  const { loadOnce, current, renew } = lazyCode(() => loadCode(load))
  function OnDemand(props: Props) {
    const [Part, setPart] = useState(current)
    return (
      <ErrorBoundary
        fallback={(retry) => (
          <TryAgain
            title={common.unloadedTitle}
            text={common.unloadedText}
            canReload
            onRetry={() => {
              renew()
              setPart(current)
              retry()
            }}
          />
        )}
      >
        <Suspense fallback={fallback}>
          <Part {...props} />
        </Suspense>
      </ErrorBoundary>
    )
  }
  return Object.assign(OnDemand, { loadAhead: loadOnce })
}

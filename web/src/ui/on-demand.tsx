import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'
import { loadCode } from './load-code.ts'
import { common } from '../texts/common.ts'
import { TryAgain } from './try-again.tsx'

/**
 * Returns a component whose code loads when it is first drawn. Where that fails, it says so in its place and offers to
 * try again; the rest of the page stays.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  const create = () => lazy(async () => ({ default: await loadCode(load) }))
  // `lazy` keeps a failure for ever, so each attempt is another one.
  let latest = create()
  return function OnDemand(props: Props) {
    const [Part, setPart] = useState(() => latest)
    return (
      <ErrorBoundary
        fallback={(retry) => (
          <TryAgain
            title={common.unloadedTitle}
            text={common.unloadedText}
            onRetry={() => {
              latest = create()
              setPart(() => latest)
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
}

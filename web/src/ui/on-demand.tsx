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
): ComponentType<Props> & { loadAhead: () => Promise<unknown> } {
  let loaded: ComponentType<Props> | null = null
  const loadAhead = async () => (loaded ??= await loadCode(load))
  const create = () => lazy(async () => ({ default: await loadAhead() }))
  // `lazy` keeps a failure for ever, so each attempt is another one.
  let latest = create()
  function OnDemand(props: Props) {
    // Not by `lazy` where it is there: React shows nothing for 300 ms after it has waited.
    const [Part, setPart] = useState<ComponentType<Props>>(() => loaded ?? latest)
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
  return Object.assign(OnDemand, { loadAhead })
}

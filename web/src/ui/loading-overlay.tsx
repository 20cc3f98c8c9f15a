import { useEffect, useState } from 'react'
import { Spinner } from './spinner.tsx'

/** A `window` event: `detail.message` while something loads, null when it is done. */
const loadingEventName = 'earshot:loading'

interface LoadingDetail {
  message: string | null
}

/** Shows the loading overlay with a message; null hides it. */
export function showLoading(message: string | null): void {
  window.dispatchEvent(new CustomEvent<LoadingDetail>(loadingEventName, { detail: { message } }))
}

/** Covers the page below its top bar while something loads. Appears after 300 ms, so short loads do not flash. */
export function LoadingOverlay() {
  const [message, setMessage] = useState<string | null>(null)
  useEffect(() => {
    const follow = (event: Event) => {
      if (event instanceof CustomEvent) setMessage((event as CustomEvent<LoadingDetail>).detail.message)
    }
    window.addEventListener(loadingEventName, follow)
    return () => window.removeEventListener(loadingEventName, follow)
  }, [])
  if (message === null) return null
  return (
    <div className="fixed inset-x-0 top-(--spacing-topbar) bottom-0 z-20 grid animate-appear place-items-center bg-page/70 backdrop-blur-sm [animation-delay:300ms]">
      <output className="flex items-center gap-3 rounded-full bg-surface px-6 py-4 shadow-lift ring-1 ring-line ring-inset">
        <Spinner className="size-5 text-brand-text" />
        {message}
      </output>
    </div>
  )
}

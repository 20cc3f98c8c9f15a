import { useEffect, useState } from 'react'
import { loadingEventName, type LoadingDetail } from './loading-event.ts'
import { Spinner } from './spinner.tsx'

/** Covers the page under its top bar while a loading event says so; not at all where that is over in a moment. */
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

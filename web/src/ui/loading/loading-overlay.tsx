import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { Spinner } from './spinner.tsx'

/** The message of the overlay; null while it is hidden. */
const loading = createStore<{ message: string | null }>(() => ({ message: null }))

/** Shows the loading overlay with a message; null hides it. */
export function showLoading(message: string | null): void {
  loading.setState({ message })
}

/** Covers the page below its top bar while something loads. Appears after 300 ms, so short loads do not flash. */
export function LoadingOverlay() {
  const { message } = useStore(loading)
  if (message === null) return null
  return (
    <div className="fixed inset-x-0 top-(--spacing-topbar) bottom-0 z-20 grid animate-appear place-items-center bg-page/70 backdrop-blur-sm [animation-delay:300ms]">
      <output className="flex items-center gap-3 rounded-full bg-surface px-6 py-4 shadow-lift ring-1 ring-line ring-inset">
        <Spinner className="size-5 text-brand-text" />
        <span>{message}</span>
      </output>
    </div>
  )
}

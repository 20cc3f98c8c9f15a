import { LoaderCircle } from 'lucide-react'

/** A rotating icon; hidden from screen readers. */
export function Spinner({ className = 'size-4' }: { className?: string }) {
  return <LoaderCircle aria-hidden className={`${className} animate-spin`} />
}

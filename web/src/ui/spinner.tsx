import { LoaderCircle } from 'lucide-react'

/** Turns while something is under way; says nothing by itself. */
export function Spinner({ className = 'size-4' }: { className?: string }) {
  return <LoaderCircle aria-hidden className={`${className} animate-spin`} />
}

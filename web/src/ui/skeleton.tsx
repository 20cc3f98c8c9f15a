/** A block in the shape of what is being loaded. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={`block animate-breathe rounded-sm bg-raised ${className}`} />
}

/** A placeholder block for loading content. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={`block animate-breathe rounded-sm bg-raised ${className}`} />
}

import { Skeleton } from '../../../../ui/loading/skeleton.tsx'
import { ResultSkeletons } from '../result-item.tsx'

const covers = ['a', 'b', 'c', 'd', 'e', 'f']

/** Takes the place of a strip of albums, so that what is under it does not move. */
export function StripSkeleton() {
  return (
    <span aria-hidden className="mt-4 block h-44 shrink-0 overflow-hidden">
      <Skeleton className="h-4 w-28" />
      <span className="mt-2 flex gap-3">
        {covers.map((key) => (
          <Skeleton key={key} className="size-24 shrink-0" />
        ))}
      </span>
    </span>
  )
}

/** Takes the place of the library's home while its code loads. */
export function LibrarySkeleton() {
  return (
    <div className="mt-3 flex min-h-0 flex-1 flex-col overflow-hidden">
      <Skeleton className="h-9 w-full shrink-0 pointer-coarse:h-11" />
      <StripSkeleton />
      <ResultSkeletons />
    </div>
  )
}

import { common } from '../../texts/common.ts'
import { Skeleton } from '../../ui/loading/skeleton.tsx'

/** The place of the link until it is there. */
export function LoadingLink() {
  return (
    <output aria-label={common.loading} className="flex flex-col gap-4">
      <Skeleton className="h-5 w-4/5" />
      <Skeleton className="h-11 w-full rounded-full" />
      <Skeleton className="mx-auto size-48" />
    </output>
  )
}

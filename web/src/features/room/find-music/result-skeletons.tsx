import { common } from '../../../texts.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'

const places = ['1', '2', '3', '4']

export function ResultSkeletons() {
  return (
    <output aria-label={common.loading} className="mt-5 flex flex-col gap-4">
      {places.map((place) => (
        <span key={place} className="flex items-center gap-3">
          <Skeleton className="size-10" />
          <span className="block flex-1">
            <Skeleton className="h-4 w-3/5" />
            <Skeleton className="mt-1.5 h-3 w-2/5" />
          </span>
        </span>
      ))}
    </output>
  )
}

import { common } from '../../texts.ts'
import { Skeleton } from '../../ui/skeleton.tsx'

const places = ['1', '2', '3', '4', '5', '6']

/** Six cards in the shape of rooms while the list loads (2.14a). */
export function RoomSkeletons() {
  return (
    <output aria-label={common.loading} className="grid gap-5 md:grid-cols-2 lg:grid-cols-3">
      {places.map((place) => (
        <span
          key={place}
          data-skeleton="room"
          className="rounded-xl bg-surface p-5 ring-1 ring-line ring-inset"
        >
          <Skeleton className="h-6 w-3/5" />
          <Skeleton className="mt-3 h-4 w-2/5" />
          <span className="mt-5 flex items-center gap-3 rounded-md bg-page p-3">
            <Skeleton className="size-12" />
            <span className="block flex-1">
              <Skeleton className="h-4 w-4/5" />
              <Skeleton className="mt-2 h-3 w-1/2" />
            </span>
          </span>
          <span className="mt-5 flex items-center justify-between">
            <Skeleton className="h-6 w-24 rounded-full" />
            <Skeleton className="h-9 w-28 rounded-full" />
          </span>
        </span>
      ))}
    </output>
  )
}

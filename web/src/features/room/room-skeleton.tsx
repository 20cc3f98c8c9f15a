import { Skeleton } from '../../ui/skeleton.tsx'

/** The room's shape before there is a room (2.18a). */
export function RoomSkeleton() {
  return (
    <div className="mt-6">
      <Skeleton className="h-9 w-64 max-w-full" />
      <Skeleton className="mt-3 h-7 w-44 rounded-full" />
      <div className="mt-6 grid gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(20rem,1fr)]">
        <div className="flex flex-col gap-5">
          <Skeleton className="h-84 rounded-2xl" />
          <Skeleton className="h-32 rounded-xl" />
        </div>
        <div className="flex flex-col gap-5 max-md:hidden">
          <Skeleton className="h-56 rounded-xl" />
          <Skeleton className="h-72 rounded-xl" />
        </div>
      </div>
    </div>
  )
}

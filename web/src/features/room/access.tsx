import { DoorClosed } from 'lucide-react'
import { Link } from 'react-router'
import { room } from '../../texts/room.ts'
import { Button, buttonLook } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useRetryConnection } from './use-room-command.ts'

/** Shown while the room is not loaded and its server cannot be reached yet (2.20). */
export function RoomConnecting() {
  const retry = useRetryConnection()
  return (
    <section className="flex min-h-[70dvh] flex-col items-center justify-center text-center">
      <Spinner className="size-10 text-brand-text" />
      <h1 className="mt-6 text-2xl font-semibold tracking-tight">{room.connectingTitle}</h1>
      <output className="mt-2 text-ink-muted">{room.connectingText}</output>
      <p className="mt-1 max-w-88 text-sm text-balance text-ink-muted">{room.connectingHint}</p>
      <div className="mt-7 flex flex-wrap justify-center gap-3">
        <Button tone="primary" onClick={retry}>
          {room.retryConnection}
        </Button>
        <Link to="/" className={buttonLook({ tone: 'secondary' })}>
          {room.returnHome}
        </Link>
      </div>
    </section>
  )
}

/** Shown for a missing room (2.19). */
export function RoomNotFound() {
  return (
    <section className="mx-auto flex min-h-[70dvh] max-w-104 flex-col items-center justify-center px-4 py-10 text-center">
      <span className="grid size-16 place-items-center rounded-full bg-surface text-ink-muted ring-1 ring-line ring-inset">
        <DoorClosed aria-hidden className="size-7" />
      </span>
      <h1 className="mt-6 text-2xl font-semibold tracking-tight">{room.notFoundTitle}</h1>
      <p className="mt-2 text-balance text-ink-muted">{room.notFoundText}</p>
      <Link to="/" className={buttonLook({ tone: 'primary', class: 'mt-6' })}>
        {room.returnHome}
      </Link>
    </section>
  )
}

/** Placeholder in the shape of a room while it loads (2.18a). */
export function RoomSkeleton() {
  return (
    <div data-room className="room-grid">
      <div className="flex h-15 items-center px-4 [grid-area:head] sm:px-6 low:h-11">
        <Skeleton className="h-7 w-64 max-w-full" />
      </div>
      <div className="grid min-h-0 place-items-center py-9 [grid-area:stage]">
        <Skeleton className="size-(--cover) rounded-xl" />
      </div>
      <div className="flex flex-col gap-4 p-5 [grid-area:rail] stacked:hidden">
        <Skeleton className="h-9 rounded-full" />
        <Skeleton className="h-56 rounded-xl" />
      </div>
      <div className="h-(--spacing-player) border-t border-line px-6 py-5 [grid-area:player] stacked:hidden">
        <Skeleton className="h-full rounded-full" />
      </div>
    </div>
  )
}

import { useParams, Link } from 'react-router'
import type { ErrorCode } from '@earshot/core/protocol/errors'
import { type ComponentProps, useEffect, useState } from 'react'
import { DoorClosed } from 'lucide-react'
import { readSession, useSession } from '../../api/session.tsx'
import { authentication } from '../../texts/common.ts'
import { room } from '../../texts/room.ts'
import { onDemand } from '../../ui/loading/on-demand.tsx'
import { ErrorBoundary } from '../../ui/loading/error-boundary.tsx'
import { TryAgain } from '../../ui/controls/try-again.tsx'
import { PageNotice } from '../../ui/notices/page-notice.tsx'
import { showLoading } from '../../ui/loading/loading-overlay.tsx'
import { notify, withdrawNotice } from '../../ui/notices/notify.ts'
import { Button, buttonLook } from '../../ui/controls/button.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { Spinner } from '../../ui/loading/spinner.tsx'
import type { Door as DoorType } from './door/door.tsx'
import { RoomProvider, useRoomVisit, useRoomState } from './use-room.ts'
import { RoomLayout } from './layout.tsx'
import { useRetryConnection } from './use-room-command.ts'
import { useRootMark } from '../../ui/page/root-mark.ts'
import { useFocusOnNewScreen } from '../../ui/page/content-focus.ts'
import { PageTitle } from '../../ui/page/page-title.tsx'

const Door = onDemand<ComponentProps<typeof DoorType>>(async () => (await import('./door/door.tsx')).Door)

const PrivateDoor = onDemand(async () => (await import('./door/private-door.tsx')).PrivateDoor)

/** Preloads the door's code, for visitors without a session. */
export const loadDoor = Door.loadAhead

/** The room page (2.7): remounts for each room. Without a session it shows the room's door. */
export function RoomPage() {
  const { roomId = '' } = useParams()
  const { status, isUnreadable } = useSession()
  useFocusOnNewScreen(status)
  return (
    <>
      <PageTitle name={room.title} />
      {status === 'signed_in' || status === 'guest' ? (
        <RoomProvider key={roomId} roomId={roomId}>
          <ErrorBoundary fallback={(retry) => <FailedScreen onRetry={retry} />}>
            <RoomScreen />
          </ErrorBoundary>
        </RoomProvider>
      ) : status === 'signed_out' ? (
        <Door key={roomId} roomId={roomId} notFound={<RoomNotFound />} />
      ) : isUnreadable ? (
        <TryAgain
          title={authentication.unreadableTitle}
          text={authentication.unreadableText}
          onRetry={() => void readSession()}
          className="min-h-[60dvh]"
        />
      ) : (
        <RoomSkeleton />
      )}
    </>
  )
}

function FailedScreen({ onRetry }: { onRetry: () => void }) {
  const { screenFailedTitle, screenFailedText } = room
  return (
    <TryAgain title={screenFailedTitle} text={screenFailedText} onRetry={onRetry} className="min-h-[60dvh]" />
  )
}

/** Shows the screen for the current membership phase (2.17). */
export function RoomScreen() {
  const phase = useRoomState((state) => state.phase)
  const joinError = useRoomState((state) => state.joinError)
  const { roomId } = useRoomVisit()
  const isAskingPassword = useIsAskingPassword()
  useFocusOnNewScreen(`${phase} ${joinError} ${isAskingPassword}`)
  const isCovered = phase === 'loading' && !isAskingPassword
  useEffect(() => {
    showLoading(isCovered ? room.loading : null)
    return () => showLoading(null)
  }, [isCovered])
  useEffect(() => {
    // These errors have screens of their own.
    if (joinError === null || isAskingPassword || hasScreen.has(joinError)) return
    notify({ kind: 'error', topic: joinTopic, title: room.joinFailedTitle, text: room.joinFailedText })
    return () => withdrawNotice(joinTopic)
  }, [joinError, isAskingPassword])
  if (isAskingPassword) return <PrivateDoor />
  if (phase === 'loading') return <RoomSkeleton />
  if (phase === 'connecting') return <RoomConnecting />
  if (joinError !== null && refusesGuest.has(joinError))
    return <Door roomId={roomId} refusal={joinError} notFound={<RoomNotFound />} />
  const isRemoved = joinError === 'banned' || joinError === 'not_a_member'
  if (phase === 'not_found')
    return isRemoved ? <RemovedFromRoom isBanned={joinError === 'banned'} /> : <RoomNotFound />
  return <RoomLayout />
}

const RemovedFromRoom = onDemand<{ isBanned: boolean }>(
  async () => (await import('./members/removed-from-room.tsx')).RemovedFromRoom,
)

/** That the room could not be joined. */
const joinTopic = 'join'
const hasScreen: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'room_not_found',
  // No room has such an address.
  'invalid_input',
  'guests_not_admitted',
  'network_banned',
  'banned',
  'not_a_member',
])
const refusesGuest: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['guests_not_admitted', 'network_banned'])
const asksPassword: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['password_required', 'wrong_password'])

/** Whether the password of the room is asked for, or being checked. Until it is right, or the room is gone. */
function useIsAskingPassword(): boolean {
  const phase = useRoomState((state) => state.phase)
  const joinError = useRoomState((state) => state.joinError)
  const [wasAsking, setAsking] = useState(false)
  const hasEnded = phase === 'joined' || (joinError !== null && hasScreen.has(joinError))
  const isAsking = !hasEnded && (wasAsking || (joinError !== null && asksPassword.has(joinError)))
  if (isAsking !== wasAsking) setAsking(isAsking)
  return isAsking
}

/** Shown while the room is not loaded and its server cannot be reached yet (2.20). */
function RoomConnecting() {
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
function RoomNotFound() {
  return (
    <PageNotice icon={DoorClosed} title={room.notFoundTitle} text={room.notFoundText}>
      <Link to="/" className={buttonLook({ tone: 'primary' })}>
        {room.returnHome}
      </Link>
    </PageNotice>
  )
}

/** Placeholder in the shape of a room while it loads (2.18a). */
function RoomSkeleton() {
  useRootMark('room')
  return (
    <div className="room-grid">
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

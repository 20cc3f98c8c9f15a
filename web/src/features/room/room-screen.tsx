import type { ErrorCode } from '@earshot/core/protocol/errors'
import { useEffect, useState } from 'react'
import { room } from '../../texts/room.ts'
import { showLoading } from '../../ui/loading-overlay.tsx'
import { notify } from '../../ui/notify.ts'
import { RoomConnecting, RoomNotFound, RoomSkeleton } from './access.tsx'
import { Door, PrivateDoor } from './door/doors.tsx'
import { RoomLayout } from './layout.tsx'
import { RemovedFromRoom } from './members/removed-from-room.tsx'
import { useRoomRuntime, useRoomState } from './use-room.ts'

/** Shows the screen for the current membership phase (2.17). */
export function RoomScreen() {
  const phase = useRoomState((state) => state.phase)
  const joinError = useRoomState((state) => state.joinError)
  const { roomId } = useRoomRuntime()
  const isAskingPassword = useIsAskingPassword()
  const isCovered = phase === 'loading' && !isAskingPassword
  useEffect(() => {
    showLoading(isCovered ? room.loading : null)
    return () => showLoading(null)
  }, [isCovered])
  useEffect(() => {
    // These errors have screens of their own.
    if (joinError === null || isAskingPassword || hasScreen.has(joinError)) return
    notify({ kind: 'error', title: room.joinFailedTitle, text: room.joinFailedText })
  }, [joinError, isAskingPassword])
  if (isAskingPassword) return <PrivateDoor />
  if (phase === 'loading') return <RoomSkeleton />
  if (phase === 'connecting') return <RoomConnecting />
  if (joinError === 'guests_not_admitted') return <Door roomId={roomId} notFound={<RoomNotFound />} />
  const isRemoved = joinError === 'banned' || joinError === 'not_a_member'
  if (phase === 'not_found')
    return isRemoved ? <RemovedFromRoom isBanned={joinError === 'banned'} /> : <RoomNotFound />
  return <RoomLayout />
}

const hasScreen: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'room_not_found',
  'guests_not_admitted',
  'banned',
  'not_a_member',
])
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

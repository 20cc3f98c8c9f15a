import { useEffect } from 'react'
import { room } from '../../texts/room.ts'
import { showLoading } from '../../ui/loading-overlay.tsx'
import { notify } from '../../ui/notify.ts'
import { RoomConnecting, RoomNotFound, RoomSkeleton } from './access.tsx'
import { RoomLayout } from './layout.tsx'
import { RemovedFromRoom } from './members/removed-from-room.tsx'
import { useRoomState } from './use-room.ts'

/** Shows the screen for the current membership phase (2.17). */
export function RoomScreen() {
  const phase = useRoomState((state) => state.phase)
  const joinError = useRoomState((state) => state.joinError)
  useEffect(() => {
    showLoading(phase === 'loading' ? room.loading : null)
    return () => showLoading(null)
  }, [phase])
  useEffect(() => {
    // These errors have screens of their own.
    if (joinError === null || joinError === 'room_not_found' || joinError === 'password_required') return
    if (joinError === 'wrong_password' || joinError === 'banned' || joinError === 'not_a_member') return
    notify({ kind: 'error', title: room.joinFailedTitle, text: room.joinFailedText })
  }, [joinError])
  if (phase === 'loading') return <RoomSkeleton />
  if (phase === 'connecting') return <RoomConnecting />
  const isRemoved = joinError === 'banned' || joinError === 'not_a_member'
  if (phase === 'not_found')
    return isRemoved ? <RemovedFromRoom isBanned={joinError === 'banned'} /> : <RoomNotFound />
  return <RoomLayout />
}

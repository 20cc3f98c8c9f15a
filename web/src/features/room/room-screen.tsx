import { useEffect } from 'react'
import { room } from '../../texts.ts'
import { announceLoading } from '../../ui/loading-event.ts'
import { notify } from '../../ui/notify.ts'
import { JoinedRoom } from './layout.tsx'
import { QueueDraftProvider } from './queue/queue-draft-provider.tsx'
import { RoomConnecting } from './access.tsx'
import { RoomNotFound } from './room-not-found.tsx'
import { RoomSkeleton } from './room-skeleton.tsx'
import { useRoomState } from './use-room.ts'

/** The state of the way into the room decides what shows (2.17). */
export function RoomScreen() {
  const phase = useRoomState((state) => state.phase)
  const joinError = useRoomState((state) => state.joinError)
  useEffect(() => {
    announceLoading(phase === 'loading' ? room.loading : null)
    return () => announceLoading(null)
  }, [phase])
  useEffect(() => {
    // A missing room and a password are screens of their own.
    if (joinError === null || joinError === 'room_not_found' || joinError === 'password_required') return
    if (joinError === 'wrong_password') return
    notify({ kind: 'error', title: room.joinFailedTitle, text: room.joinFailedText })
  }, [joinError])
  if (phase === 'loading') return <RoomSkeleton />
  if (phase === 'connecting') return <RoomConnecting />
  if (phase === 'not_found') return <RoomNotFound />
  return (
    <QueueDraftProvider>
      <JoinedRoom />
    </QueueDraftProvider>
  )
}

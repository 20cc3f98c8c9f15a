import { mayQueue } from '@earshot/core/room/permissions'
import { useSession } from '../../api/session.tsx'
import { useRoomState } from './use-room.ts'

/** Whether the viewer may add to the queue and change it; the server decides. */
export function useMayQueue(): boolean {
  const isGuest = useSession().status === 'guest'
  return useRoomState(({ room }) => room === null || mayQueue(room, isGuest))
}

import { useSession } from '../../api/session.tsx'
import { queue as texts } from '../../texts/queue.ts'
import { useRoomState } from './use-room.ts'

/** Says who added a track, also after that member left; null if unknown. `knownName` is for who is not in the room. */
export function useAddedBy(userId: string | null, knownName: string | null): string | null {
  const viewerId = useSession().user?.id
  const name = useRoomState(
    (state) => state.members.find((member) => member.id === userId)?.username ?? knownName,
  )
  if (userId !== null && userId === viewerId) return texts.addedByYou
  return name === null ? null : texts.addedBy(name)
}

import { controls } from '../../texts/room-settings.ts'
import { useRoomState } from './use-room.ts'

/** Returns who has the controls instead of the viewer, or that nobody has them; undefined for a viewer who has them. */
export function useControlsHint(): string | undefined {
  return useRoomState(({ mayControl, room, members }) => {
    if (mayControl) return undefined
    const owner = room?.owner.username ?? ''
    // The owner is listed in a large room, too.
    const isOwnerAway = members.length > 0 && !members.some(({ id }) => id === room?.owner_id)
    if (isOwnerAway && !room?.controller) return controls.nobody(owner)
    return controls.hint(owner, room?.controller?.username ?? null)
  })
}

/** Returns who has the controls, also to a viewer who has them while the owner is away. */
export function useControlsText(): string | undefined {
  const hint = useControlsHint()
  const owner = useRoomState(({ room, userId }) =>
    room?.controller?.id === userId ? room.owner.username : null,
  )
  return owner === null ? hint : controls.yours(owner)
}

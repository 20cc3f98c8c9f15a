import { controls } from '../../texts/room-settings.ts'
import { useRoomState } from './use-room.ts'

/** Returns who has the controls instead of the viewer; undefined for a viewer who has them. */
export function useControlsHint(): string | undefined {
  return useRoomState(({ mayControl, room }) =>
    mayControl ? undefined : controls.hint(room?.owner.username ?? '', room?.controller?.username ?? null),
  )
}

/** Returns who has the controls, also to a viewer who has them while the owner is away. */
export function useControlsText(): string | undefined {
  const hint = useControlsHint()
  const owner = useRoomState(({ room, userId }) =>
    room?.controller?.id === userId ? room.owner.username : null,
  )
  return owner === null ? hint : controls.yours(owner)
}

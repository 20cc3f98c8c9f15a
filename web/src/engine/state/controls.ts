import type { Room } from '@earshot/core/protocol/entities'
import { hasControls } from '@earshot/core/room/permissions'

/** Who owns the viewer's room, and who has its controls. */

interface ViewedRoom {
  room: Room | null
  /** The viewer. */
  userId: string
}

export const isOwnedByViewer = ({ room, userId }: ViewedRoom): boolean => room?.owner_id === userId

/** Whether the viewer's playback commands take effect (17.22a, 17.23). */
export function mayViewerControl({ room, userId }: ViewedRoom): boolean {
  if (!room) return false
  const { owner_id: ownerId, controller, settings } = room
  return hasControls({ ownerId, controllerId: controller?.id ?? null, settings }, userId)
}

/** Whether the room follows the viewer's position reports: the owner's, or those of who has the controls meanwhile. */
export const isViewerLeading = (viewed: ViewedRoom): boolean =>
  isOwnedByViewer(viewed) || viewed.room?.controller?.id === viewed.userId

import { AppError } from '@earshot/core/protocol/errors'
import type { Db } from '../db/database.ts'
import type { Membership } from '../presence/membership.ts'

/** Deletes a room with its queue and chat for the administrator, and sends its members away. @throws AppError room_not_found */
export async function deleteAnyRoom(
  { db, membership }: { db: Db; membership: Pick<Membership, 'closeRoom'> },
  roomId: string,
): Promise<void> {
  await deleteRoomRows(db, roomId)
  await membership.closeRoom(roomId, 'deleted')
}

/** Deletes the rows of a room. A running server notices it by itself. @throws AppError room_not_found */
export async function deleteRoomRows(db: Db, roomId: string): Promise<void> {
  const { numDeletedRows } = await db.deleteFrom('rooms').where('id', '=', roomId).executeTakeFirst()
  if (Number(numDeletedRows) === 0) throw new AppError('room_not_found')
}

import { AppError } from '@earshot/core/protocol/errors'
import type { Db } from '../db/database.ts'
import type { Membership } from '../presence/membership.ts'

/** Deletes a room with its queue and chat, then removes its members. @throws AppError room_not_found */
export async function deleteRoom(
  { db, membership }: { db: Db; membership: Pick<Membership, 'leaveEverywhere'> },
  roomId: string,
): Promise<void> {
  for (const userId of await deleteRoomRows(db, roomId)) await membership.leaveEverywhere(roomId, userId)
}

/** Deletes the rows of a room. Returns the ids of its members. @throws AppError room_not_found */
export async function deleteRoomRows(db: Db, roomId: string): Promise<string[]> {
  return db.transaction().execute(async (change) => {
    const members = await change
      .selectFrom('user_rooms')
      .select('user_id')
      .where('room_id', '=', roomId)
      .execute()
    const { numDeletedRows } = await change.deleteFrom('rooms').where('id', '=', roomId).executeTakeFirst()
    if (Number(numDeletedRows) === 0) throw new AppError('room_not_found')
    return members.map((member) => member.user_id)
  })
}

import { AppError } from '@earshot/core/protocol/errors'
import { httpApi } from '@earshot/core/protocol/http-api'
import { asMember } from '@earshot/core/room/room-state'
import type { FastifyInstance } from 'fastify'
import { findProfile } from '../../db/profiles.ts'
import { deleteRemovedOf } from '../../db/queue-history.ts'
import { type RoomRow, refuseDeletedRoom, requireRoom } from '../../db/rooms.ts'
import { takePoint } from '../../limits/rate-limits.ts'
import { deleteBan, insertBan, listBans } from '../../db/room-bans.ts'
import { requireOwnedRoom } from '../../rooms/room-edits.ts'
import type { Rooms } from '../../rooms/rooms.ts'
import { registerCall } from '../http-call.ts'

/** Serves the removal of members and of messages. The controller may do neither while the owner is away. */
export function registerModeration(server: FastifyInstance, rooms: Rooms): void {
  registerRemovals(server, rooms)
  registerBans(server, rooms)
}

function registerRemovals(server: FastifyInstance, { db, membership, chat, limiters }: Rooms): void {
  registerCall(server, httpApi.kickMember, async ({ params: { roomId, userId }, session, ip }) => {
    await takePoint(limiters.command, session.user.id)
    refuseOwner(await requireOwnedRoom(db, roomId, session.user.id), userId)
    const wasMember = await membership.leaveEverywhere(roomId, userId, 'kicked')
    if (!wasMember) return {}
    server.securityLog.record('kicked', { address: ip, userId: session.user.id, target: userId, at: roomId })
    return {}
  })

  registerCall(server, httpApi.deleteMessage, async ({ params: { roomId, messageId }, session }) => {
    await takePoint(limiters.command, session.user.id)
    const { owner_id } = (await requireRoom(db, roomId)).row
    await chat.delete(roomId, messageId, { id: session.user.id, isOwner: owner_id === session.user.id })
    return {}
  })
}

function registerBans(server: FastifyInstance, rooms: Rooms): void {
  const { db, clock, membership, limiters } = rooms

  registerCall(server, httpApi.banUser, async ({ params: { roomId, userId }, body, session, ip }) => {
    await takePoint(limiters.command, session.user.id)
    refuseOwner(await requireOwnedRoom(db, roomId, session.user.id), userId)
    if (!(await findProfile(db, userId))) throw new AppError('not_found', 'There is no such user')
    const isNew = await refuseDeletedRoom(
      insertBan({ db, clock }, { roomId, userId, bannedBy: session.user.id }),
    )
    const wasMember = await membership.leaveEverywhere(roomId, userId, 'banned')
    if (body.removeContent === true) await removeContent(rooms, { roomId, userId, ownerId: session.user.id })
    if (!wasMember && !isNew) return {}
    server.securityLog.record('banned', { address: ip, userId: session.user.id, target: userId, at: roomId })
    return {}
  })

  registerCall(server, httpApi.liftBan, async ({ params: { roomId, userId }, session }) => {
    await takePoint(limiters.command, session.user.id)
    await requireOwnedRoom(db, roomId, session.user.id)
    await deleteBan(db, roomId, userId)
    return {}
  })

  registerCall(server, httpApi.listBans, async ({ params: { roomId }, session }) => {
    await requireOwnedRoom(db, roomId, session.user.id)
    return { bans: await listBans(db, roomId) }
  })
}

/** Removes what a user left in a room: entries of its queue in one change, for good, then messages. */
async function removeContent(
  { db, runtime, chat }: Pick<Rooms, 'db' | 'runtime' | 'chat'>,
  { roomId, userId, ownerId }: { roomId: string; userId: string; ownerId: string },
): Promise<void> {
  await runtime.runCommand(roomId, { type: 'remove_entries_of', userId }, asMember(ownerId, false))
  await deleteRemovedOf(db, roomId, userId)
  await chat.deleteAllOf(userId, roomId)
}

function refuseOwner(room: RoomRow, userId: string): void {
  if (room.owner_id === userId) throw new AppError('invalid_input', 'The owner cannot be removed')
}

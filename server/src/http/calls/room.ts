import { limits } from '@earshot/core/limits'
import { httpApi } from '@earshot/core/protocol/http-api'
import { asMember } from '@earshot/core/room/room-state'
import type { FastifyInstance } from 'fastify'
import type { Redis } from 'ioredis'
import { addressKey, connectionKey } from '../../address-key.ts'
import { deriveId, newId } from '../../ids.ts'
import { takePoint, createSharedRateLimiter } from '../../limits/rate-limits.ts'
import { httpHolderId } from '../../presence/presence.ts'
import { createInvite, revokeInvites } from '../../db/room-invites.ts'
import { createRoom } from '../../rooms/create-room.ts'
import type { Rooms } from '../../rooms/rooms.ts'
import { type StoredOutcome, readQueue } from '../../rooms/store/room-store.ts'
import { requireTrack, toAddedBy } from '../../rooms/tracks.ts'
import { registerCall } from '../http-call.ts'
import { registerModeration } from './moderation.ts'
import { listPlayed } from '../../db/queue-history.ts'
import { refuseDeletedRoom } from '../../db/rooms.ts'
import { orderMembers } from '../../rooms/members.ts'
import type { RoomViews } from '../../rooms/room-view.ts'
import {
  type RoomEditParts,
  changeOwner,
  deleteRoom,
  requireOwnedRoom,
  updateRoom,
} from '../../rooms/room-edits.ts'
import { serverLimits } from '../../server-limits.ts'
import { otherRates } from '../../limits/rates.ts'

/** Serves rooms and, to their members, each room's members, queue and chat. */
export function registerRoomCalls(server: FastifyInstance, rooms: Rooms & RoomEditCallParts): void {
  registerRooms(server, rooms)
  registerRoomEditCalls(server, rooms)
  registerInvites(server, rooms)
  registerMembers(server, rooms)
  registerQueue(server, rooms)
  registerChat(server, rooms)
  registerModeration(server, rooms)
  registerDoorCalls(server, rooms)
}

/** Serves listing, creating, joining and leaving rooms (7.1, 7.3). */
function registerRooms(server: FastifyInstance, rooms: Rooms): void {
  const { membership, views, limiters } = rooms

  registerCall(server, httpApi.listRooms, ({ query, session }) => views.list(query, session?.user.id ?? null))

  registerCall(server, httpApi.createRoom, async ({ body, session }) => {
    await takePoint(limiters.join, session.user.id)
    const id = await createRoom(rooms, body, session.user.id)
    views.forgetLists()
    return { id }
  })

  registerCall(server, httpApi.getRoom, async ({ params, session }) => ({
    room: await views.find(params.roomId, session?.user.id ?? null),
  }))

  registerCall(server, httpApi.joinRoom, async ({ params, body, session, ip }) => {
    const { user } = session
    await takePoint(limiters.join, user.id)
    const room = await membership.admit(params.roomId, user, { ...body, address: connectionKey(ip) })
    await membership.enter(room, user, httpHolderId)
    return { room: await views.find(params.roomId, user.id) }
  })

  registerCall(server, httpApi.leaveRoom, async ({ params, session }) => {
    await membership.leaveEverywhere(params.roomId, session.user.id)
    return {}
  })
}

/** Serves invite links, which only the owner creates and revokes (6.4d). */
function registerInvites(server: FastifyInstance, { db, clock, limiters }: Rooms): void {
  registerCall(server, httpApi.createInvite, async ({ params, body, session }) => {
    await takePoint(limiters.join, session.user.id)
    await requireOwnedRoom(db, params.roomId, session.user.id)
    return refuseDeletedRoom(createInvite(db, clock, { roomId: params.roomId, uses: body.uses }))
  })

  registerCall(server, httpApi.revokeInvites, async ({ params, session }) => {
    await requireOwnedRoom(db, params.roomId, session.user.id)
    await revokeInvites(db, params.roomId)
    return {}
  })
}

/** Serves the members present, in pages by order of arrival; on the owner's page the owner comes first. */
function registerMembers(server: FastifyInstance, { membership, presence }: Rooms): void {
  registerCall(server, httpApi.listMembers, async ({ params, query, session }) => {
    const room = await membership.requireMember(params.roomId, session.user)
    const page = { offset: query.offset, limit: limits.membersPageSize }
    const [members, memberCount] = await Promise.all([
      presence.listMembers(params.roomId, page),
      presence.countMembers(params.roomId),
    ])
    return { members: orderMembers(members, room.owner_id), memberCount }
  })
}

/** Serves the queue (7.5) and what was played before. */
function registerQueue(server: FastifyInstance, rooms: Rooms): void {
  const { db, membership, runtime, limiters, changeLimit } = rooms

  registerCall(server, httpApi.getQueue, async ({ params, session }) => {
    await takePoint(limiters.wholeQueues, session.user.id)
    await membership.requireMember(params.roomId, session.user)
    return await readQueue(db, params.roomId)
  })

  registerCall(server, httpApi.listHistory, async ({ params, query, session }) => {
    await membership.requireMember(params.roomId, session.user)
    const page = { beforeId: query.before ?? null, limit: serverLimits.historyPageSize + 1 }
    const played = await listPlayed(db, params.roomId, page)
    return {
      played: played.slice(0, serverLimits.historyPageSize),
      hasMore: played.length > serverLimits.historyPageSize,
    }
  })

  registerCall(server, httpApi.addToQueue, async ({ params, body, session, ip }) => {
    const { user } = session
    await membership.requireMember(params.roomId, user)
    await takePoint(limiters.queue, user.id)
    const { commandId, brief } = body
    if (!brief) await takePoint(limiters.wholeQueues, user.id)
    const sender = { user, address: connectionKey(ip) }
    const outcome = await changeLimit.change(params.roomId, sender, async () => {
      const track = await requireTrack(rooms, body.trackId, user.id)
      // A busy room forgets the ids of its commands within a second.
      const entryId = commandId === undefined ? newId() : deriveId(params.roomId, user.id, commandId)
      const command = { type: 'add_track', track, entryId, commandId, addedBy: toAddedBy(user) } as const
      return await runtime.runCommand(params.roomId, command, asMember(user.id, user.isGuest))
    })
    return toChangedQueue(outcome, brief)
  })

  registerCall(server, httpApi.removeFromQueue, async ({ params, query, session, ip }) => {
    const { user } = session
    await membership.requireMember(params.roomId, user)
    await takePoint(limiters.queue, user.id)
    const isBrief = query.brief === 'true'
    if (!isBrief) await takePoint(limiters.wholeQueues, user.id)
    const command = { type: 'remove_entry', entryId: params.entryId } as const
    const sender = { user, address: connectionKey(ip) }
    const outcome = await changeLimit.change(params.roomId, sender, () =>
      runtime.runCommand(params.roomId, command, asMember(user.id, user.isGuest)),
    )
    return toChangedQueue(outcome, isBrief)
  })
}

function toChangedQueue({ state, queueVersion: version }: StoredOutcome, isBrief = false) {
  return { queue: isBrief ? [] : state.queue, version }
}

/** Serves the chat (7.6) and takes reactions. */
function registerChat(server: FastifyInstance, rooms: Rooms): void {
  const { membership, chat, reactions, limiters, changeLimit } = rooms
  registerCall(server, httpApi.listMessages, async ({ params, query, session }) => {
    await membership.requireMember(params.roomId, session.user)
    return await chat.list(params.roomId, query.before ?? null)
  })

  registerCall(server, httpApi.sendMessage, async ({ params, body, session: { user }, ip }) => {
    await membership.requireMember(params.roomId, user)
    await takePoint(limiters.chat, user.id)
    const sender = { user, address: connectionKey(ip) }
    const send = () => chat.send({ ...params, author: user, ...body })
    return { message: await changeLimit.message(params.roomId, sender, send) }
  })

  registerCall(server, httpApi.sendReaction, async ({ params, body, session }) => {
    await membership.requireMember(params.roomId, session.user)
    await takePoint(limiters.reaction, session.user.id)
    reactions.add(params.roomId, body.kind)
    return {}
  })
}

/** Serves what visitors see of a room before joining. */
function registerDoorCalls(server: FastifyInstance, { doors, limiters }: Rooms): void {
  registerCall(server, httpApi.getDoor, async ({ params, session, ip }) => {
    if (!session) await takePoint(limiters.door, addressKey(ip))
    const viewerId = session?.user.id ?? null
    return { door: await doors.find(params.roomId, { viewerId, invite: null }) }
  })

  registerCall(server, httpApi.getDoorAsInvited, async ({ params, body, session, ip }) => {
    if (!session) await takePoint(limiters.door, addressKey(ip))
    const viewerId = session?.user.id ?? null
    return { door: await doors.find(params.roomId, { viewerId, invite: body.invite }) }
  })
}

type RoomEditCallParts = RoomEditParts & { views: RoomViews; redis: Redis | null }

/** Serves what the owner changes about a room: settings, privacy, owner, existence. */
function registerRoomEditCalls(server: FastifyInstance, parts: RoomEditCallParts): void {
  const { views } = parts
  const edits = createSharedRateLimiter('room-edits', otherRates.roomEdits, parts.redis)

  registerCall(server, httpApi.updateRoom, async ({ params: { roomId }, body, session: { user } }) => {
    await takePoint(edits, user.id)
    await updateRoom(parts, { roomId, userId: user.id }, body)
    return { room: await views.find(roomId, user.id) }
  })

  registerCall(server, httpApi.deleteRoom, async ({ params: { roomId }, session: { user } }) => {
    await takePoint(edits, user.id)
    await deleteRoom(parts, { roomId, userId: user.id })
    return {}
  })

  registerCall(server, httpApi.changeOwner, async ({ params: { roomId }, body, session: { user } }) => {
    await takePoint(edits, user.id)
    await changeOwner(parts, { roomId, userId: user.id }, body.userId)
    return { room: await views.find(roomId, user.id) }
  })
}

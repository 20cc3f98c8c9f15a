import type { Clock } from '@earshot/core/clock'
import { defaultRoomSettings, type RoomSettings, roomSettingsSchema } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import type { updateRoomSchema } from '@earshot/core/protocol/validation'
import { validationMessages } from '@earshot/core/protocol/validation-messages'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Db } from '../db/database.ts'
import { deleteRoomRow } from '../db/admin-rooms.ts'
import { type RoomRow, lockRoom, requireRoom, updateRoomColumns } from '../db/rooms.ts'
import { keepAccessOfMembers } from '../db/user-rooms.ts'
import type { EventBus } from '../events.ts'
import type { Membership } from '../presence/membership.ts'
import type { Presence } from '../presence/presence.ts'
import { hashRoomPassword } from './room-password.ts'
import { revokeInvites } from '../db/room-invites.ts'
import { takeRoomQuota } from './room-quota.ts'
import { parseRoomSettings } from './store/stored-room.ts'
import { toNameColumns } from './room-name.ts'

/** The owner's changes of a room besides its playback: settings, privacy, owner, deletion. */

export interface RoomEditParts {
  db: Db
  clock: Clock
  logger: Logger
  events: EventBus
  presence: Pick<Presence, 'findMember'>
  membership: Pick<Membership, 'closeRoom'>
}

type RoomChanges = z.output<typeof updateRoomSchema>

/**
 * Changes name, settings or privacy. A new password ends all invites, and the admissions of everybody but the members.
 * @throws AppError room_not_found, not_owner, or invalid_input for a room that would be private without a password
 */
export async function updateRoom(
  parts: RoomEditParts,
  { roomId, userId }: { roomId: string; userId: string },
  changes: RoomChanges,
): Promise<void> {
  const { db, logger, events } = parts
  await requireOwnedRoom(db, roomId, userId)
  const hash = 'password' in changes ? await hashRoomPassword(changes.password) : null
  await db.transaction().execute(async (change) => {
    const row = requireOwner(await lockRoom(change, roomId), userId)
    const columns = toColumns(row, changes, hash)
    if (Object.keys(columns).length > 0) await updateRoomColumns(change, roomId, columns)
    if (hash === null) return
    await keepAccessOfMembers(change, roomId)
    await revokeInvites(change, roomId)
  })
  logger.info({ audit: 'room_updated', roomId, userId, changed: Object.keys(changes) }, 'Room updated')
  await events.emit('roomEdited', { roomId })
}

function toColumns(
  row: RoomRow,
  { name, isPublic, settings }: RoomChanges,
  hash: string | null,
): Partial<Pick<RoomRow, 'name' | 'search_text' | 'settings' | 'is_public' | 'password'>> {
  if (isPublic === false && hash === null && row.password === null) {
    const message = validationMessages.roomPasswordRequired
    throw new AppError('invalid_input', `password: ${message}`, { issues: [{ path: 'password', message }] })
  }
  return {
    ...(name === undefined ? {} : toNameColumns(name)),
    ...(settings === undefined ? {} : { settings: toStoredSettings(row, settings) }),
    ...(isPublic === true ? { is_public: 1, password: null } : {}),
    ...(hash === null ? {} : { is_public: 0, password: hash }),
  }
}

/** Returns the settings that differ from the default, as JSON. */
function toStoredSettings(row: RoomRow, changes: RoomChanges['settings']): string {
  const settings = roomSettingsSchema.parse({ ...parseRoomSettings(row.settings), ...changes })
  const names = Object.keys(settings) as (keyof RoomSettings)[]
  const changed = names.filter((name) => settings[name] !== defaultRoomSettings[name])
  return JSON.stringify(Object.fromEntries(changed.map((name) => [name, settings[name]])))
}

/**
 * Makes a member who is present and has an account the owner. The owner before stays as a member.
 * @throws AppError room_not_found, not_owner, not_a_member, too_many_rooms of theirs, or invalid_input for a guest
 */
export async function changeOwner(
  parts: RoomEditParts,
  { roomId, userId }: { roomId: string; userId: string },
  newOwnerId: string,
): Promise<void> {
  const { db, logger, events, presence } = parts
  await requireOwnedRoom(db, roomId, userId)
  const member = await presence.findMember(roomId, newOwnerId)
  if (!member) throw new AppError('not_a_member', 'Only a member who is in the room can own it')
  if (member.is_guest === true)
    throw new AppError('invalid_input', 'A guest has no account to own a room with')
  await db.transaction().execute(async (change) => {
    requireOwner(await lockRoom(change, roomId), userId)
    await takeRoomQuota(change, newOwnerId)
    await updateRoomColumns(change, roomId, { owner_id: newOwnerId, controller_id: null })
  })
  logger.info({ audit: 'room_owner_changed', roomId, userId, newOwnerId }, 'Room handed over')
  await events.emit('ownerChanged', { roomId, ownerId: newOwnerId })
  await events.emit('roomEdited', { roomId })
}

/**
 * Deletes a room with its queue, chat, admissions and invites, and sends its members away.
 * @throws AppError room_not_found, not_owner
 */
export async function deleteRoom(
  { db, logger, membership }: Pick<RoomEditParts, 'db' | 'logger' | 'membership'>,
  { roomId, userId }: { roomId: string; userId: string },
): Promise<void> {
  await requireOwnedRoom(db, roomId, userId)
  await deleteAnyRoom({ db, membership }, roomId)
  logger.info({ audit: 'room_deleted', roomId, userId }, 'Room deleted by its owner')
}

/** Deletes a room for its owner or the administrator, and sends its members away. @throws AppError room_not_found */
export async function deleteAnyRoom(
  { db, membership }: Pick<RoomEditParts, 'db' | 'membership'>,
  roomId: string,
): Promise<void> {
  await deleteRoomRow(db, roomId)
  await membership.closeRoom(roomId, 'deleted')
}

/** Resolves to a room of this owner. @throws AppError room_not_found, not_owner */
export async function requireOwnedRoom(db: Db, roomId: string, userId: string): Promise<RoomRow> {
  return requireOwner((await requireRoom(db, roomId)).row, userId)
}

function requireOwner(row: RoomRow, userId: string): RoomRow {
  if (row.owner_id !== userId) throw new AppError('not_owner')
  return row
}

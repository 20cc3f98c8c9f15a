import { limits } from '@earshot/core/limits'
import { type Attendance, findSuccessor, planControls } from '@earshot/core/room/hand-over'
import { serverActor } from '@earshot/core/room/room-state'
import type { Logger } from 'pino'
import { type WorkQueue, createWorkQueue } from '../../async/work-queue.ts'
import type { Db } from '../../db/database.ts'
import { type RoomRow, findRoom } from '../../db/rooms.ts'
import type { EventBus } from '../../events.ts'
import type { Presence } from '../../presence/presence.ts'
import type { RoomRuntime } from '../room-runtime.ts'
import { toStoredRoom } from '../store/stored-room.ts'
import { logUnlessGone } from './log-unless-gone.ts'
import { findStartedCue } from './track-readiness.ts'

interface HandOverParts {
  db: Db
  clock: { now(): number }
  logger: Logger
  events: EventBus
  presence: Pick<Presence, 'findAnswering' | 'findPresent' | 'findSilent' | 'listMembers'>
  runtime: RoomRuntime
}

const concurrency = 8

/**
 * Passes the controls of rooms on while their owners are away, and back (17.21). Returns a queue of the rooms to review:
 * those whose members or settings change are added by themselves, and those that are due by the room scheduler. Reviewing
 * a room that is in order changes nothing.
 */
export function startHandOver(parts: HandOverParts): WorkQueue {
  const { events, logger } = parts
  const message = 'Could not hand over the controls of a room; retrying when its members change'
  const rooms = createWorkQueue(concurrency, (roomId) =>
    reviewControls(parts, roomId).catch(logUnlessGone(logger, roomId, message)),
  )
  events.on('memberJoined', ({ roomId }) => rooms.add(roomId))
  events.on('membersChanged', ({ roomId }) => rooms.add(roomId))
  events.on('roomEdited', ({ roomId }) => rooms.add(roomId))
  events.on('roomCommitted', (commit) => {
    // The member who has the controls may have become silent.
    if (commit.outcome.state.controllerId !== null && findStartedCue(commit) !== null)
      rooms.add(commit.roomId)
  })
  return rooms
}

async function reviewControls(parts: HandOverParts, roomId: string): Promise<void> {
  const { db, clock, events, runtime } = parts
  const found = await findRoom(db, roomId)
  if (!found) return
  const attendance = await lookUpAttendance(parts, found.row)
  const { state } = toStoredRoom(found)
  // Most reviews find nothing to do: no queue is loaded, and no lock taken.
  if (planControls(state, attendance, clock.now()).length === 0) return
  const { changes, state: after } = await runtime.runCommand(
    roomId,
    (current, nowMs) => planControls(current, attendance, nowMs),
    serverActor,
  )
  if (!changes.includes('controls')) return
  await events.emit('controlsChanged', { roomId, controllerId: after.controllerId })
}

/** A controller who answers no cues counts as away if another present member does. */
async function lookUpAttendance({ presence }: HandOverParts, room: RoomRow): Promise<Attendance> {
  const { id, owner_id: ownerId, controller_id: controllerId } = room
  const controller = controllerId === null ? [] : [controllerId]
  const present = await presence.findPresent(id, [ownerId, ...controller])
  const isOwnerPresent = present.has(ownerId)
  const isControllerPresent = controllerId !== null && present.has(controllerId)
  const found = { ownerId, controllerId, isOwnerPresent, isControllerPresent, successorId: controllerId }
  const isSilent = isControllerPresent && (await presence.findSilent(id, controller)).size > 0
  if (isOwnerPresent || (isControllerPresent && !isSilent)) return found
  const members = await presence.listMembers(id, { offset: 0, limit: limits.membersPageSize })
  const ids = members.map((member) => member.id)
  const answering = await presence.findAnswering(id, ids)
  const successorId = findSuccessor(members, { ownerId, answering })
  if (isControllerPresent && !answering.has(successorId ?? '')) return found
  return { ...found, isControllerPresent: false, successorId }
}

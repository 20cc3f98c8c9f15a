import type { Clock } from '@earshot/core/clock'
import type { Activity } from '@earshot/core/protocol/activity'
import { unknownUsername, type QueueEntry } from '@earshot/core/protocol/entities'
import type { RoomCommandType } from '@earshot/core/room/room-state'
import type { Logger } from 'pino'
import { BoundedMap } from '../../bounded-map.ts'
import { createKeyedTimers } from '../../async/keyed-timers.ts'
import { createWorkQueue } from '../../async/work-queue.ts'
import type { Db } from '../../db/database.ts'
import { findUsernames } from '../../db/profiles.ts'
import type { EventBus, RoomCommit } from '../../events.ts'
import { newSortableId } from '../../ids.ts'
import {
  type ActivityBatch,
  type ActivityLine,
  type Happening,
  createActivityBatch,
} from './activity-batch.ts'
import { serverLimits } from '../../server-limits.ts'

const lastNamesMax = 100

interface ActivityParts {
  db: Db
  clock: Clock
  logger: Logger
  events: EventBus
}

const concurrency = 8

/**
 * Emits `activityHappened` for what people do in rooms, merged and limited per room and process (decision 052). Keeps
 * nothing but what waits to be sent. Returns a function that stops it and waits for what is being sent.
 */
export function startActivity(parts: ActivityParts): () => Promise<void> {
  const { clock, logger, events } = parts
  const timers = createKeyedTimers(clock)
  const batches = new Map<string, ActivityBatch>()
  /** The names of accounts that were deleted; their departure is told a moment later. */
  const lastNames = new BoundedMap<string, string>(lastNamesMax)
  /** Guests who have an account now: they have not left. */
  const merged = new BoundedMap<string, true>(lastNamesMax)

  const flushes = createWorkQueue(concurrency, async (roomId) => {
    const lines = take(roomId)
    if (lines.length === 0) return
    await send({ ...parts, lastNames }, roomId, lines).catch((error: unknown) =>
      logger.warn({ err: error, roomId }, 'Could not send the activity of a room; these lines are lost'),
    )
  })

  const flushAt = (roomId: string, atMs: number): void => timers.set(roomId, atMs, () => flushes.add(roomId))

  const take = (roomId: string): ActivityLine[] => {
    const nowMs = clock.now()
    const batch = batches.get(roomId)
    if (!batch) return []
    const lines = batch.take(nowMs)
    if (batch.isWaiting()) flushAt(roomId, nowMs + serverLimits.activityBatchMs)
    else if (batch.isIdle(nowMs)) batches.delete(roomId)
    else flushAt(roomId, nowMs + serverLimits.activityPerRoom.perMs)
    return lines
  }

  const record = (roomId: string, happening: Happening): void => {
    const batch = batches.get(roomId) ?? createActivityBatch()
    batches.set(roomId, batch)
    const wasWaiting = batch.isWaiting()
    batch.record(happening, clock.now())
    if (!wasWaiting) flushAt(roomId, clock.now() + serverLimits.activityBatchMs)
  }

  events.on('tracksChanged', (commit) => {
    for (const happening of describeCommit(commit)) record(commit.roomId, happening)
  })
  events.on('memberJoined', ({ roomId, member, isBack }) => {
    if (isBack) batches.get(roomId)?.cancelLeft(member.id)
    else record(roomId, { kind: 'joined', userId: member.id })
  })
  events.on('membersLeaving', ({ roomId, userIds }) => {
    for (const userId of userIds) if (!merged.has(userId)) record(roomId, { kind: 'left', userId })
  })
  events.on('accountDeleted', ({ userId, username }) => {
    if (username === null) merged.set(userId, true)
    else lastNames.set(userId, username)
  })
  events.on('controlsChanged', ({ roomId, controllerId }) => {
    if (controllerId !== null) record(roomId, { kind: 'controls', userId: controllerId })
  })
  events.on('userRemoved', ({ roomId, userId, reason, isRemote, isAgain }) => {
    if (!isRemote && !isAgain && reason !== 'left') record(roomId, { kind: reason, userId })
  })
  return async () => {
    timers.close()
    await flushes.close()
  }
}

async function send(
  { db, events, lastNames }: ActivityParts & { lastNames: ReadonlyMap<string, string> },
  roomId: string,
  lines: ActivityLine[],
): Promise<void> {
  const userIds = lines.flatMap((line) => line.userIds ?? line.userId ?? [])
  const names = new Map([...lastNames, ...(await findUsernames(db, userIds))])
  // A guest who became an account is still there.
  const hasName = ({ kind, userId }: ActivityLine) => kind !== 'left' || userId === null || names.has(userId)
  for (const line of lines.filter(hasName)) {
    void events.emit('activityHappened', { roomId, activity: toActivity(line, names) })
  }
}

function toActivity(line: ActivityLine, names: ReadonlyMap<string, string>): Activity {
  const { kind, userId, userIds, title, count, atMs } = line
  const named = (id: string) => ({ id, username: names.get(id) ?? unknownUsername })
  return {
    id: newSortableId(atMs),
    atMs,
    kind,
    user: userId === null ? null : named(userId),
    ...(title === undefined ? {} : { title }),
    ...(count > 1 ? { count } : {}),
    ...(count > 1 && userIds ? { users: userIds.map(named) } : {}),
  }
}

type CommandTypes = ReadonlySet<RoomCommandType>

const adding: CommandTypes = new Set(['add_track', 'add_tracks', 'arrange_queue', 'restore_entries'])
const removing: CommandTypes = new Set(['remove_entry', 'clear_queue', 'remove_entries_of'])
const skipping: CommandTypes = new Set(['next', 'select_track'])
const voting: CommandTypes = new Set(['skip_by_vote'])
const moving: CommandTypes = new Set(['arrange_queue', 'move_entry'])

/** Returns what was done to the queue and the current track of a room, by comparing the room before and after. */
function describeCommit({ commands, actor, outcome }: RoomCommit): Happening[] {
  const { before, state: after } = outcome
  const did = (types: CommandTypes): boolean => commands.some(({ type }) => types.has(type))
  if (actor.kind !== 'user') {
    const { track } = before
    return did(voting) && track ? [{ kind: 'voted_out', userId: null, title: track.title }] : []
  }
  const happenings: Happening[] = []
  const add = (kind: Happening['kind'], tracks: readonly { title: string }[]): void => {
    if (tracks.length === 0) return
    happenings.push({ kind, userId: actor.id, title: tracks[0]?.title, count: tracks.length })
  }
  if (did(adding)) {
    const isFirst = before.track === null && after.track !== null && !wasQueued(before.queue, after.track.id)
    add('added', [...(isFirst && after.track ? [after.track] : []), ...without(after.queue, before.queue)])
  }
  if (did(removing)) add('removed', without(before.queue, after.queue))
  if (did(skipping) && outcome.changes.includes('track') && before.track) add('skipped', [before.track])
  if (did(moving)) add('played_next', movedToFront(before.queue, after.queue))
  return happenings
}

const wasQueued = (queue: readonly QueueEntry[], trackId: string): boolean =>
  queue.some(({ id }) => id === trackId)

function without(queue: readonly QueueEntry[], other: readonly QueueEntry[]): QueueEntry[] {
  const ids = new Set(other.map(({ entry_id }) => entry_id))
  return queue.filter(({ entry_id }) => !ids.has(entry_id))
}

/** Returns the entry that was moved before the first one. */
function movedToFront(before: readonly QueueEntry[], after: readonly QueueEntry[]): QueueEntry[] {
  const [first, second] = after
  const isMoved = first !== undefined && second !== undefined && second.entry_id === before[0]?.entry_id
  return isMoved && before.some(({ entry_id }) => entry_id === first.entry_id) ? [first] : []
}

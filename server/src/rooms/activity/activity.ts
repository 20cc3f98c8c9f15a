import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import { type Activity } from '@earshot/core/protocol/activity'
import { unknownUsername } from '@earshot/core/protocol/entities'
import type { Logger } from 'pino'
import { createKeyedTimers } from '../../async/keyed-timers.ts'
import type { Db } from '../../db/database.ts'
import { findUsernames } from '../../db/profiles.ts'
import type { EventBus } from '../../events.ts'
import { newSortableId } from '../../ids.ts'
import {
  type ActivityBatch,
  type ActivityLine,
  type Happening,
  createActivityBatch,
} from './activity-batch.ts'
import { describeCommit } from './describe-commit.ts'

/**
 * Emits `activityHappened` for what people do in rooms, merged and limited per room and process (decision 052). Keeps
 * nothing but what waits to be sent. Returns a function that stops it.
 */
export function startActivity(parts: { db: Db; clock: Clock; logger: Logger; events: EventBus }): () => void {
  const { db, clock, logger, events } = parts
  const timers = createKeyedTimers(clock)
  const batches = new Map<string, ActivityBatch>()

  const send = async (roomId: string, lines: ActivityLine[]): Promise<void> => {
    const names = await findUsernames(
      db,
      lines.flatMap(({ userId, userIds }) => userIds ?? userId ?? []),
    )
    // A guest who became an account is still there.
    const hasName = ({ kind, userId }: ActivityLine) =>
      kind !== 'left' || userId === null || names.has(userId)
    for (const line of lines.filter(hasName)) {
      void events.emit('activityHappened', { roomId, activity: toActivity(line, names) })
    }
  }

  const flush = (roomId: string, batch: ActivityBatch): void => {
    const nowMs = clock.now()
    const lines = batch.take(nowMs)
    if (batch.isWaiting()) flushAt(roomId, batch, nowMs + limits.activityBatchMs)
    else if (batch.isIdle(nowMs)) batches.delete(roomId)
    else flushAt(roomId, batch, nowMs + limits.activityPerRoom.perMs)
    if (lines.length === 0) return
    send(roomId, lines).catch((error: unknown) =>
      logger.warn({ err: error, roomId }, 'Could not send the activity of a room; these lines are lost'),
    )
  }

  const flushAt = (roomId: string, batch: ActivityBatch, atMs: number): void =>
    timers.set(roomId, atMs, () => flush(roomId, batch))

  const record = (roomId: string, happening: Happening): void => {
    const batch = batches.get(roomId) ?? createActivityBatch()
    batches.set(roomId, batch)
    const wasWaiting = batch.isWaiting()
    batch.record(happening, clock.now())
    if (!wasWaiting) flushAt(roomId, batch, clock.now() + limits.activityBatchMs)
  }

  events.on('tracksChanged', (commit) => {
    for (const happening of describeCommit(commit)) record(commit.roomId, happening)
  })
  events.on('memberJoined', ({ roomId, member, isBack }) => {
    if (isBack) batches.get(roomId)?.cancelLeft(member.id)
    else record(roomId, { kind: 'joined', userId: member.id })
  })
  events.on('membersLeaving', ({ roomId, userIds }) => {
    for (const userId of userIds) record(roomId, { kind: 'left', userId })
  })
  events.on('controlsChanged', ({ roomId, controllerId }) => {
    if (controllerId !== null) record(roomId, { kind: 'controls', userId: controllerId })
  })
  events.on('userRemoved', ({ roomId, userId, reason, isRemote }) => {
    if (!isRemote && reason !== 'left') record(roomId, { kind: reason, userId })
  })
  return () => timers.close()
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

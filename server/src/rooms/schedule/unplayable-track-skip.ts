import { limits } from '@earshot/core/limits'
import type { RoomCommand } from '@earshot/core/room/room-state'
import type { UnplayableReason } from '@earshot/core/protocol/providers'
import type { Logger } from 'pino'
import { createWorkQueue } from '../../async/work-queue.ts'
import { BoundedMap } from '../../bounded-map.ts'
import type { EventBus } from '../../events.ts'
import type { Presence } from '../../presence/presence.ts'
import type { Db } from '../../db/database.ts'
import { isRoomGone, requireRoom } from '../../db/rooms.ts'
import type { RoomRuntime } from '../room-runtime.ts'

export interface UnplayableTrackSkipParts {
  db: Db
  logger: Logger
  events: EventBus
  presence: Pick<Presence, 'countMembers' | 'findPresent'>
  runtime: RoomRuntime
}

/** Reasons that apply to every member. Region, account and browser differ from member to member. */
const generalReasons: ReadonlySet<UnplayableReason> = new Set<UnplayableReason>([
  'not_embeddable',
  'removed',
  'live',
])
const concurrency = 4
/** Bounds the memory of the rooms whose members report. */
const roomsKept = 1_000

/** The tracks that nobody can play according to each member, with the reason, by user id. */
type RoomReports = Map<string, ReadonlyMap<string, UnplayableReason>>

/**
 * Moves a room on when its current track cannot be played by anybody: the player of its owner, or of who has the controls
 * meanwhile, reports so, or those of all members present. The server cannot check it, and one member alone must not skip
 * tracks. Checked after reports, and when a track becomes current. Returns a function that stops it and resolves when no
 * check is under way.
 */
export function startUnplayableTrackSkip(parts: UnplayableTrackSkipParts): () => Promise<void> {
  const { events, logger } = parts
  const rooms = new BoundedMap<string, RoomReports>(roomsKept)

  const check = async (roomId: string): Promise<void> => {
    const reports = rooms.get(roomId)
    if (reports) await skipIfAgreed(parts, roomId, reports)
  }
  const checks = createWorkQueue(concurrency, (roomId) =>
    check(roomId).catch((error: unknown) => {
      if (isRoomGone(error)) return
      logger.error({ err: error, roomId }, 'Could not skip an unplayable track; the owner can skip it')
    }),
  )

  events.on('tracksUnplayable', ({ roomId, userId, unplayable }) => {
    const general = unplayable.filter(({ reason }) => generalReasons.has(reason))
    const reports = rooms.get(roomId) ?? new Map<string, ReadonlyMap<string, UnplayableReason>>()
    if (general.length > 0)
      reports.set(userId, new Map(general.map(({ trackId, reason }) => [trackId, reason])))
    else if (!reports.delete(userId)) return
    if (reports.size > 0) rooms.set(roomId, reports)
    else rooms.delete(roomId)
    checks.add(roomId)
  })
  events.on('roomCommitted', ({ roomId, outcome }) => {
    if (outcome.changes.includes('track') && outcome.state.track) checks.add(roomId)
  })
  return () => checks.close()
}

async function skipIfAgreed(
  parts: UnplayableTrackSkipParts,
  roomId: string,
  reports: RoomReports,
): Promise<void> {
  const { db, events, runtime } = parts
  const { row, track } = await requireRoom(db, roomId)
  if (!track) return
  const agreeing = [...reports].filter(([, reasons]) => reasons.has(track.id))
  const reason = agreeing[0]?.[1].get(track.id)
  if (reason === undefined) return
  const userIds = agreeing.map(([userId]) => userId)
  const isDecided = [row.owner_id, row.controller_id].some((id) => id !== null && userIds.includes(id))
  if (!isDecided && !(await isEverybody(parts, roomId, userIds))) return
  const command: RoomCommand = { type: 'skip_missing', trackId: track.id, missingEntryIds: [] }
  const { changes } = await runtime.runCommand(roomId, command, { kind: 'server' })
  if (changes.length > 0)
    await events.emit('missingTrackSkipped', { roomId, title: track.title, count: 1, reason })
}

/** Whether all members present reported it. Rooms larger than a page of members wait for their owner. */
async function isEverybody(
  { presence }: Pick<UnplayableTrackSkipParts, 'presence'>,
  roomId: string,
  userIds: string[],
): Promise<boolean> {
  const count = await presence.countMembers(roomId)
  if (userIds.length < count || count > limits.membersPageSize) return false
  return (await presence.findPresent(roomId, userIds)).size >= count
}

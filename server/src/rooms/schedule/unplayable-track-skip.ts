import { limits } from '@earshot/core/limits'
import { type RoomCommand, serverActor } from '@earshot/core/room/room-state'
import type { UnplayableReason } from '@earshot/core/protocol/providers'
import type { Logger } from 'pino'
import { type CoalescedRun, createCoalescedRun } from '../../async/coalesced-run.ts'
import { BoundedMap } from '../../bounded-map.ts'
import type { EventBus } from '../../events.ts'
import type { Presence } from '../../presence/presence.ts'
import type { Db } from '../../db/database.ts'
import { requireRoom } from '../../db/rooms.ts'
import type { RoomRuntime } from '../room-runtime.ts'
import { logUnlessGone } from './log-unless-gone.ts'

interface UnplayableTrackSkipParts {
  db: Db
  logger: Logger
  events: EventBus
  presence: Pick<Presence, 'countMembers' | 'countSilent' | 'findSilent' | 'findPresent'>
  runtime: RoomRuntime
}

/** Reasons that apply to every member. Region, account and browser differ from member to member. */
const generalReasons: ReadonlySet<UnplayableReason> = new Set<UnplayableReason>([
  'not_embeddable',
  'removed',
  'live',
])

/** Whether a reason can hold for all members. A block in one country does only if each of them reports it. */
const isShared = (reason: UnplayableReason): boolean => reason === 'blocked' || generalReasons.has(reason)

/** Bounds the memory of the rooms whose members report. */
const roomsKept = 1_000

/** The tracks that each member cannot play for such a reason, by user id. */
type UnplayableByUser = Map<string, ReadonlyMap<string, UnplayableReason>>

interface ReportedRoom {
  reports: UnplayableByUser
  /** Checks the room. Reports that come during a check share the next one. */
  checks: CoalescedRun
}

/**
 * Moves a room on when nobody can play its current track, as the players of its owner or controller report, or those of
 * all present members, for example where it is blocked in their countries. The server cannot check that, and one member
 * alone must not skip tracks. Checked after reports, and when a track becomes current.
 */
export function startUnplayableTrackSkip(parts: UnplayableTrackSkipParts): void {
  const { events, logger } = parts
  const rooms = new BoundedMap<string, ReportedRoom>(roomsKept)

  const openRoom = (roomId: string): ReportedRoom => {
    const reports: UnplayableByUser = new Map()
    const checks = createCoalescedRun(() =>
      skipIfAgreed(parts, roomId, reports).catch(
        logUnlessGone(logger, roomId, 'Could not skip an unplayable track; the owner can skip it'),
      ),
    )
    return { reports, checks }
  }

  events.on('tracksUnplayable', async ({ roomId, userId, unplayable }) => {
    const shared = unplayable.filter(({ reason }) => isShared(reason))
    const room = rooms.get(roomId) ?? openRoom(roomId)
    if (shared.length > 0)
      room.reports.set(userId, new Map(shared.map(({ trackId, reason }) => [trackId, reason])))
    else if (!room.reports.delete(userId)) return
    if (room.reports.size === 0) return void rooms.delete(roomId)
    rooms.set(roomId, room)
    await room.checks.request()
  })
  events.on('tracksChanged', ({ roomId, outcome }) => {
    // Not awaited: the skip is a change of the same room, which waits for this one.
    if (outcome.changes.includes('track') && outcome.state.track) void rooms.get(roomId)?.checks.request()
  })
}

async function skipIfAgreed(
  parts: UnplayableTrackSkipParts,
  roomId: string,
  reports: UnplayableByUser,
): Promise<void> {
  const { db, events, runtime } = parts
  const { row, track } = await requireRoom(db, roomId)
  if (!track) return
  const stated = [...reports].flatMap(([userId, reasons]) => {
    const reason = reasons.get(track.id)
    return reason === undefined || (reason === 'blocked' && !track.regional) ? [] : [{ userId, reason }]
  })
  const general = stated.filter(({ reason }) => generalReasons.has(reason))
  const [first = stated[0]] = general
  if (!first) return
  const isDecided = general.some(({ userId }) => userId === row.owner_id || userId === row.controller_id)
  const userIds = stated.map(({ userId }) => userId)
  if (!isDecided && !(await isEverybody(parts, roomId, userIds))) return
  const command: RoomCommand = { type: 'skip_unavailable', trackId: track.id, unavailableEntryIds: [] }
  const { changes } = await runtime.runCommand(roomId, command, serverActor)
  if (changes.length > 0)
    await events.emit('trackSkipped', { roomId, title: track.title, count: 1, reason: first.reason })
}

/**
 * Whether all members present reported it, but for those who answer no cues. Rooms larger than a page of members wait for
 * their owner.
 */
async function isEverybody(
  { presence }: Pick<UnplayableTrackSkipParts, 'presence'>,
  roomId: string,
  userIds: string[],
): Promise<boolean> {
  const count = await presence.countMembers(roomId)
  if (count > limits.membersPageSize) return false
  const [silent, silentReporters, reporters] = await Promise.all([
    presence.countSilent(roomId),
    presence.findSilent(roomId, userIds),
    presence.findPresent(roomId, userIds),
  ])
  return reporters.size > 0 && reporters.size >= count - (silent - silentReporters.size)
}

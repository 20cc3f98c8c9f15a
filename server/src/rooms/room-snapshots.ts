import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { QueueEntry, RoomSnapshot } from '@earshot/core/protocol/entities'
import { toPlaybackState } from '@earshot/core/sync/timeline'
import { createBatched, createBatchedLookup } from '../async/batched.ts'
import type { Db } from '../db/database.ts'
import { listMessagesBefore } from '../db/messages.ts'
import {
  type RoomRow,
  type RoomWithTrack,
  findRooms,
  orRoomNotFound,
  requireListedRoom,
} from '../db/rooms.ts'
import type { Presence } from '../presence/presence.ts'
import { readFirstMembers } from './members.ts'
import { toWireRoom } from './room-view.ts'
import { queueVersionOf, readQueue } from './store/room-store.ts'
import { toStoredRoom } from './store/stored-room.ts'

type BriefSnapshot = Omit<RoomSnapshot, 'room' | 'members' | 'memberCount' | 'messages'>

/** What a client knows of the queue. */
export interface KnownQueue {
  /** The queue of this version is left out. */
  version: number | null
  /** Of a long queue the first entries are enough: the client reads the rest itself. */
  isStartEnough: boolean
}

export interface RoomSnapshots {
  /**
   * Resolves to all data a member needs to follow the room (4.7b).
   * @throws AppError room_not_found
   */
  takeSnapshot(roomId: string, known: KnownQueue): Promise<RoomSnapshot>
  /**
   * Resolves to playback and queue only, for a client that follows the events.
   * @throws AppError room_not_found
   */
  takeBriefSnapshot(roomId: string, known: KnownQueue): Promise<BriefSnapshot>
}

interface RoomSnapshotsParts {
  db: Db
  clock: Clock
  presence: Presence
}

export function createRoomSnapshots(parts: RoomSnapshotsParts): RoomSnapshots {
  // Joins during a snapshot share the next one.
  const takeShared = createBatched(async (roomIds: readonly string[]) => {
    const taken = new Map([...new Set(roomIds)].map((id) => [id, takeSnapshot(parts, id, null)]))
    return await Promise.all(roomIds.map((id) => taken.get(id) ?? takeSnapshot(parts, id, null)))
  })
  // Requests that come while rooms are read share the next statement: on a busy machine thousands would wait in a row.
  const findShared = createBatchedLookup((roomIds: string[]) => findRooms(parts.db, roomIds))
  const cutShared = keepCut()
  return {
    async takeSnapshot(roomId, { version, isStartEnough }) {
      const snapshot = await (version === null ? takeShared(roomId) : takeSnapshot(parts, roomId, version))
      return isStartEnough ? cutShared(snapshot) : snapshot
    },
    async takeBriefSnapshot(roomId, { version, isStartEnough }) {
      const snapshot = await toBriefSnapshot(parts, orRoomNotFound(await findShared(roomId)), version)
      return isStartEnough ? cutQueue(snapshot) : snapshot
    },
  }
}

/** Cuts each snapshot once: it is then encoded once for all who join. */
function keepCut(): (snapshot: RoomSnapshot) => RoomSnapshot {
  const kept = new WeakMap<RoomSnapshot, RoomSnapshot>()
  return (snapshot) => {
    const cut = kept.get(snapshot) ?? cutQueue(snapshot)
    kept.set(snapshot, cut)
    return cut
  }
}

function cutQueue<Snapshot extends BriefSnapshot>(snapshot: Snapshot): Snapshot {
  const { queue } = snapshot
  if (queue.length <= limits.joinQueueSize) return snapshot
  return { ...snapshot, queue: queue.slice(0, limits.joinQueueSize), queueTotal: queue.length }
}

async function takeSnapshot(
  { db, clock, presence }: RoomSnapshotsParts,
  roomId: string,
  knownQueueVersion: number | null,
): Promise<RoomSnapshot> {
  const listed = await requireListedRoom(db, roomId)
  const [queue, messages, { users: members, count: memberCount }] = await Promise.all([
    readUnknownQueue(db, listed.row, knownQueueVersion),
    listMessagesBefore(db, roomId, { beforeId: null, limit: limits.messagesPageSize }),
    readFirstMembers(presence, roomId, listed.row.owner_id),
  ])
  const room = toWireRoom(listed, true)
  return {
    room,
    ...queue,
    members,
    memberCount,
    state: room.playback_state,
    messages,
    serverTime: clock.now(),
  }
}

async function toBriefSnapshot(
  { db, clock }: RoomSnapshotsParts,
  found: RoomWithTrack,
  knownQueueVersion: number | null,
): Promise<BriefSnapshot> {
  const queue = await readUnknownQueue(db, found.row, knownQueueVersion)
  const { timeline } = toStoredRoom(found).state
  return { ...queue, state: toPlaybackState(timeline, null), serverTime: clock.now() }
}

/** Leaves the queue out where the client has its version. */
async function readUnknownQueue(
  db: Db,
  row: RoomRow,
  knownQueueVersion: number | null,
): Promise<{ queue: QueueEntry[]; queueVersion: number; isQueueKnown?: boolean }> {
  const listedVersion = queueVersionOf(row)
  if (listedVersion === knownQueueVersion)
    return { queue: [], queueVersion: listedVersion, isQueueKnown: true }
  const { queue, version } = await readQueue(db, row.id, listedVersion)
  return { queue, queueVersion: version }
}

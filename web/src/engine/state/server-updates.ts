import { limits } from '@earshot/core/limits'
import type {
  Member,
  Message,
  PlaybackState,
  QueueEntry,
  Room,
  Track,
  RoomSnapshot,
} from '@earshot/core/protocol/entities'
import type { ServerPayload } from '@earshot/core/protocol/socket-events'
import { fromPlaybackState, supersedes } from '@earshot/core/sync/timeline'
import { redraw } from './optimistic.ts'
import type { RoomSessionData } from './room-session-data.ts'

/** What each word of the server does to the state. Pure; whatever came late changes nothing. */

export function applySnapshot(data: RoomSessionData, snapshot: RoomSnapshot): RoomSessionData {
  const { room, queue, queueVersion = null, members, memberCount, state, messages } = snapshot
  const withQueue = applyQueue(applyRoom(data, room), queue, queueVersion)
  return {
    ...applyPlayback(withQueue, state),
    members,
    memberCount,
    ...joinHistory(data, messages),
  }
}

/** The latest page of the chat continues what is known, or replaces it where more was missed than a page holds. */
function joinHistory(
  { messages: known, hasOlderMessages }: RoomSessionData,
  latest: Message[],
): Pick<RoomSessionData, 'messages' | 'hasOlderMessages'> {
  const lastKnown = known.at(-1)
  const isContinued = latest.length < limits.messagesPageSize || latest.some(({ id }) => id === lastKnown?.id)
  if (lastKnown && isContinued) return { messages: mergeMessages(known, latest), hasOlderMessages }
  return { messages: latest, hasOlderMessages: latest.length >= limits.messagesPageSize }
}

/** 4.19d: an older sequence number is dropped. */
export function applyPlayback(data: RoomSessionData, state: PlaybackState): RoomSessionData {
  const timeline = fromPlaybackState(state)
  const { confirmed } = data
  if (!supersedes(timeline, confirmed.timeline)) return data
  const track = findTrack(data, timeline.trackId)
  return redraw({ ...data, confirmed: { ...confirmed, timeline, track } })
}

/**
 * 4.19e: the command that changed the timeline. It comes beside the timeline itself and changes nothing after it; alone, it
 * moves the same track. A change of track needs the timeline.
 */
export function applyDirectCommand(
  data: RoomSessionData,
  { command, position, timestamp, sequence_number }: ServerPayload<'direct_command'>,
): RoomSessionData {
  const { timeline } = data.confirmed
  const isNews = sequence_number > timeline.sequenceNumber && timeline.trackId !== null
  if (!isNews || command === 'next') return data
  const isPlaying = command === 'play' || (command !== 'pause' && timeline.isPlaying)
  const moved = { isPlaying, positionMs: position, atServerMs: timestamp, sequenceNumber: sequence_number }
  return redraw({ ...data, confirmed: { ...data.confirmed, timeline: { ...timeline, ...moved } } })
}

/** The track of the timeline, where it is known: from the room, from the queue, or still the same one (4.19a). */
function findTrack({ room, confirmed }: RoomSessionData, trackId: string | null): Track | null {
  if (trackId === null) return null
  const known = [room?.currentTrack, ...confirmed.queue, confirmed.track]
  return known.find((track) => track?.id === trackId) ?? null
}

/** The id of the confirmed track where nobody has said yet what it is: to be fetched. */
export function missingTrackId({ confirmed }: RoomSessionData): string | null {
  return confirmed.track === null ? confirmed.timeline.trackId : null
}

export function applyTrack(data: RoomSessionData, track: Track): RoomSessionData {
  if (data.confirmed.timeline.trackId !== track.id) return data
  return redraw({ ...data, confirmed: { ...data.confirmed, track } })
}

/** 4.21a: the player knows better how long the current track is. */
export function applyDuration(data: RoomSessionData, durationMs: number): RoomSessionData {
  const { confirmed } = data
  if (!confirmed.track) return data
  const track = { ...confirmed.track, duration: durationMs }
  return redraw({
    ...data,
    confirmed: { ...confirmed, track, timeline: { ...confirmed.timeline, durationMs } },
  })
}

export function applyRoom(data: RoomSessionData, room: Room): RoomSessionData {
  const withRoom = { ...data, room, isOwner: room.owner_id === data.userId }
  return room.currentTrack ? applyTrack(withRoom, room.currentTrack) : withRoom
}

/** A queue with a lower version than the last one came late. */
export function applyQueue(
  data: RoomSessionData,
  queue: QueueEntry[],
  queueVersion: number | null,
): RoomSessionData {
  const { confirmed } = data
  const isLate = queueVersion !== null && queueVersion < (confirmed.queueVersion ?? 0)
  return isLate ? data : redraw({ ...data, confirmed: { ...confirmed, queue, queueVersion } })
}

export function applyMemberJoined(data: RoomSessionData, user: Member): RoomSessionData {
  if (data.members.some(({ id }) => id === user.id)) return data
  return { ...data, members: [...data.members, user], memberCount: data.memberCount + 1 }
}

export function applyPresence(data: RoomSessionData, users: Member[], count: number): RoomSessionData {
  return { ...data, members: users, memberCount: count }
}

export function applyMessage(data: RoomSessionData, message: Message): RoomSessionData {
  return { ...data, messages: mergeMessages(data.messages, [message]) }
}

export function applyOlderMessages(
  data: RoomSessionData,
  older: Message[],
  hasMore: boolean,
): RoomSessionData {
  return { ...data, messages: mergeMessages(data.messages, older), hasOlderMessages: hasMore }
}

/** Ids sort by time, so whatever order messages come in, they are shown in the order they were sent. */
function mergeMessages(known: Message[], more: Message[]): Message[] {
  const all = new Map([...known, ...more].map((message) => [message.id, message]))
  return [...all.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

export function applySyncStatus(
  data: RoomSessionData,
  { members, p50Ms, p95Ms }: ServerPayload<'sync_status'>,
): RoomSessionData {
  return { ...data, memberSync: members, roomSync: { p50Ms, p95Ms } }
}

/** How well this listener is in sync; a change that nobody would see is none. */
export function applyFollowReport(
  data: RoomSessionData,
  { errorMs, cause }: RoomSessionData['sync'],
): RoomSessionData {
  const isSame = data.sync.cause === cause && roundOrNull(data.sync.errorMs) === roundOrNull(errorMs)
  return isSame ? data : { ...data, sync: { errorMs, cause } }
}

const roundOrNull = (value: number | null): number | null => (value === null ? null : Math.round(value))

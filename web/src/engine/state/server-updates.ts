import type { Member, PlaybackState, Room, Track, RoomSnapshot } from '@earshot/core/protocol/entities'
import type { ClientAck, ServerPayload, ServerEventName } from '@earshot/core/protocol/socket-events'
import type { ListenerSync } from '@earshot/core/protocol/sync-report'
import { commandNames } from '@earshot/core/protocol/wire-constants'
import { toDurationFields } from '@earshot/core/sync/duration'
import { withinMs } from '@earshot/core/sync/follow/error-history'
import { fromPlaybackState, supersedes } from '@earshot/core/sync/timeline'
import type { ServerConnection } from '../../realtime/server-connection.ts'
import {
  applyAuthorChanged,
  applyLatestMessages,
  applyMessage,
  applyMessageDeleted,
  applyMessagesDeleted,
} from '../chat/chat-history.ts'
import { applyActivity } from './activity.ts'
import { receive } from './draw-together.ts'
import type { PendingPlayback } from './optimistic.ts'
import { removePending } from './pending-commands.ts'
import { type RoomState, type RoomStore, update } from './room-state.ts'
import { applySkipVotes } from './skip-votes.ts'
import { applyDelta, applyQueue, applyQueueStart, applyQueueUpdate, settleDeltas } from './queue-updates.ts'

/** How each message of the server changes the state, as pure functions; outdated messages change nothing. */

/** Applies the whole snapshot of a join. */
export function applySnapshot(state: RoomState, snapshot: RoomSnapshot): RoomState {
  const { room, members, memberCount } = snapshot
  const withPlayback = applyBriefSnapshot(applyRoom(state, room), snapshot)
  return applyLatestMessages(applyPresence(withPlayback, members, memberCount), snapshot)
}

/** Applies a snapshot that may hold only playback and queue. */
export function applySyncAnswer(state: RoomState, answer: ClientAck<'request_sync'>): RoomState {
  const { room, members, memberCount, messages } = answer
  const isWhole = room && members && memberCount !== undefined && messages
  if (!isWhole) return applyBriefSnapshot(state, answer)
  return applySnapshot(state, { ...answer, room, members, memberCount, messages })
}

type BriefSnapshot = Pick<RoomSnapshot, 'queue' | 'queueVersion' | 'queueTotal' | 'isQueueKnown' | 'state'>

function applyBriefSnapshot(state: RoomState, snapshot: BriefSnapshot): RoomState {
  const { queue, queueVersion = null, queueTotal } = snapshot
  const current = { ...state, awaitedQueue: null }
  if (snapshot.isQueueKnown) return applyPlayback(current, snapshot.state)
  const withQueue = queueTotal
    ? applyQueueStart(current, queue, { queueVersion, queueTotal })
    : applyQueue(current, queue, queueVersion)
  return applyPlayback(withQueue, snapshot.state)
}

/**
 * Forgets the numbers of the timeline, the queue and the votes: they order only what one connection brings. A database that was
 * restored counts from lower ones.
 */
export function forgetOrder(state: RoomState): RoomState {
  const { confirmed } = state
  if (confirmed.timeline.sequenceNumber === 0 && confirmed.queueVersion === null) return state
  const timeline = { ...confirmed.timeline, sequenceNumber: 0 }
  const unordered = { ...confirmed, timeline, queueVersion: null }
  return { ...state, confirmed: unordered, awaitedQueue: null, awaitedDeltas: [], skipVotes: null }
}

/**
 * Applies a timeline, with the queue of the same change and without the viewer's command that led to it. An older
 * sequence number is dropped (4.19d).
 */
export function applyPlayback(state: RoomState, playback: PlaybackState): RoomState {
  const timeline = fromPlaybackState(playback)
  const { confirmed, awaitedQueue } = state
  if (!supersedes(timeline, confirmed.timeline)) return state
  const track = findTrack(state, timeline.trackId)
  const moved = { ...state, confirmed: { ...confirmed, timeline, track } }
  const hasQueue = awaitedQueue !== null && awaitedQueue.sequenceNumber <= timeline.sequenceNumber
  const withQueue = hasQueue
    ? applyQueue({ ...moved, awaitedQueue: null }, awaitedQueue.queue, awaitedQueue.queueVersion)
    : moved
  const settled = settleDeltas(withQueue)
  const { command_id: commandId } = playback
  return commandId === undefined ? settled : removePending(settled, commandId)
}

/**
 * Applies the answer to the viewer's command. It may overtake the broadcast, which holds the new queue: until then the
 * track that `next` made current is taken out of the known queue.
 */
export function applyAnswer(state: RoomState, command: PendingPlayback, playback: PlaybackState): RoomState {
  const answered = removePending(applyPlayback(state, playback), command.id)
  const isQueueAwaited = state.awaitedQueue !== null || state.awaitedDeltas.length > 0
  const isOvertaking = !isQueueAwaited && playback.sequence_number > state.confirmed.timeline.sequenceNumber
  const { confirmed } = answered
  const [first, ...queue] = confirmed.queue
  if (command.command !== 'next' || !isOvertaking || first?.id !== playback.track_id) return answered
  // Without a version: a difference does not apply to a predicted queue.
  return { ...answered, confirmed: { ...confirmed, queue, queueVersion: null } }
}

/**
 * Moves the current track as the command did (4.19e). Has no effect after the timeline that the command led to; a
 * change of track waits for that timeline.
 */
export function applyDirectCommand(
  state: RoomState,
  { command, position, timestamp, sequence_number }: ServerPayload<'direct_command'>,
): RoomState {
  const { timeline } = state.confirmed
  const isNews = sequence_number > timeline.sequenceNumber && timeline.trackId !== null
  if (!isNews || command === 'next') return state
  const isPlaying = command === 'play' || (command !== 'pause' && timeline.isPlaying)
  const moved = { isPlaying, positionMs: position, atServerMs: timestamp, sequenceNumber: sequence_number }
  return { ...state, confirmed: { ...state.confirmed, timeline: { ...timeline, ...moved } } }
}

/** Finds the timeline's track in the room, in the queue, or as the current one (4.19a). */
function findTrack({ room, confirmed }: RoomState, trackId: string | null): Track | null {
  if (trackId === null) return null
  const known = [room?.currentTrack, ...confirmed.queue, confirmed.track]
  return known.find((track) => track?.id === trackId) ?? null
}

/** Stores the data of the current track; ignores a track that is no longer current. */
export function applyTrack(state: RoomState, track: Track): RoomState {
  if (state.confirmed.timeline.trackId !== track.id) return state
  return { ...state, confirmed: { ...state.confirmed, track } }
}

/** Replaces the current track's duration by the one the player measured (4.21a). */
export function applyDuration(state: RoomState, durationMs: number): RoomState {
  const { confirmed } = state
  if (!confirmed.track) return state
  const track = { ...confirmed.track, ...toDurationFields(durationMs) }
  return {
    ...state,
    confirmed: { ...confirmed, track, timeline: { ...confirmed.timeline, durationMs } },
  }
}

/** Stores the room's settings, and its current track where they hold one. */
export function applyRoom(state: RoomState, room: Room): RoomState {
  const withRoom = { ...state, room }
  return room.currentTrack ? applyTrack(withRoom, room.currentTrack) : withRoom
}

/** Adds a member, once. */
export function applyMemberJoined(state: RoomState, user: Member): RoomState {
  if (state.members.some(({ id }) => id === user.id)) return state
  return { ...state, members: [...state.members, user] }
}

/** Replaces the members by the listed ones; `count` includes those that are not listed. */
export function applyPresence(state: RoomState, users: Member[], count: number): RoomState {
  return { ...state, members: users, unlistedMembers: count - users.length }
}

/** Applies what changed of the members' sync since it was last sent. */
export function applySyncChanges(
  state: RoomState,
  { members, p50Ms, p95Ms, isWhole = false }: ServerPayload<'sync_changes'>,
): RoomState {
  const known = isWhole ? members : { ...state.memberSync, ...members }
  return { ...state, memberSync: dropNulls(known), roomSync: { p50Ms, p95Ms } }
}

/** Stores the reports of members that were asked for; those without one report no more. */
export function applyMemberSync(
  state: RoomState,
  askedIds: readonly string[],
  reports: Readonly<Record<string, ListenerSync>>,
): RoomState {
  const asked = Object.fromEntries(askedIds.map((id) => [id, reports[id] ?? null]))
  return { ...state, memberSync: dropNulls({ ...state.memberSync, ...asked }) }
}

function dropNulls(members: Readonly<Record<string, ListenerSync | null>>): Record<string, ListenerSync> {
  return Object.fromEntries(Object.entries(members).flatMap(([id, sync]) => (sync ? [[id, sync]] : [])))
}

/** Stores this listener's own sync; ignores changes below the displayed millisecond. */
export function applyFollowReport(
  state: RoomState,
  { errorMs, uncertaintyMs, cause }: ListenerSync,
): RoomState {
  const sync = { errorMs, uncertaintyMs, cause }
  const isSame = state.sync.cause === cause && shownMs(state.sync) === shownMs(sync)
  return isSame ? state : { ...state, sync }
}

const shownMs = (sync: ListenerSync): number | null => {
  const boundMs = withinMs(sync)
  return boundMs === null ? null : Math.ceil(boundMs)
}

/** Whether a string is the name of a direct command that this page knows. */
const isCommandName = (name: string): boolean => commandNames.some((known) => known === name)

/** Applies the server's events about one room to its store. Returns a function that stops it. */
export function listenToRoom(
  roomId: string,
  connection: Pick<ServerConnection, 'on'>,
  store: RoomStore,
): () => void {
  type RoomEvent = {
    [Name in ServerEventName]: ServerPayload<Name> extends { roomId: string } ? Name : never
  }[ServerEventName]
  const on = <Name extends RoomEvent>(
    name: Name,
    apply: (state: RoomState, payload: ServerPayload<Name>) => RoomState,
  ) =>
    connection.on(name, (payload) => {
      if (payload.roomId !== roomId) return
      receive(() => update(store, (state) => apply(state, payload)))
    })
  const stops = [
    on('playback_updated', (state, payload) => applyPlayback(state, payload.state)),
    on('direct_command', (state, payload) => {
      if (isCommandName(payload.command)) return applyDirectCommand(state, payload)
      // oxlint-disable-next-line no-console -- from a server newer than this page; the console is for its developer
      console.warn('Ignored an unknown direct_command', payload)
      return state
    }),
    on('queueUpdate', applyQueueUpdate),
    on('queueDelta', applyDelta),
    on('roomUpdate', (state, { room }) => applyRoom(state, room)),
    on('userJoin', (state, { user }) => applyMemberJoined(state, user)),
    on('userPresence', (state, { users, count }) => applyPresence(state, users, count)),
    on('message', (state, { message }) => applyMessage(state, message)),
    on('messageDeleted', (state, { messageId }) => applyMessageDeleted(state, messageId)),
    on('messagesDeleted', applyMessagesDeleted),
    on('authorChanged', applyAuthorChanged),
    on('activity', applyActivity),
    on('sync_changes', applySyncChanges),
    on('skip_votes', applySkipVotes),
    on('playability', (state, { unplayable }) => ({ ...state, unplayable })),
  ]
  return () => stops.forEach((stop) => stop())
}

import type {
  Message,
  PlaybackState,
  QueueEntry,
  Room,
  RoomSnapshot,
  Track,
} from '@earshot/core/protocol/entities'
import { emptyTimeline, toPlaybackState, type Timeline } from '@earshot/core/sync/timeline'
import { makeMessage, makeRoom, makeTrack } from '../../testing/samples.ts'
import { initialRoomState, type RoomState } from '../state/room-state.ts'

/** The room `room` of `owner`, with the track `a`, which is a minute long, before `b` and `c`. */

export const ownerId = 'owner'

export const makeShortTrack = (id: string): Track => makeTrack({ id, title: `Track ${id}`, duration: 60_000 })

export const makeQueue = (...ids: string[]): QueueEntry[] =>
  ids.map((id, position) => ({
    ...makeShortTrack(id),
    entry_id: `entry-${id}`,
    position,
    added_by: ownerId,
  }))

export const makeTimeline = (timeline: Partial<Timeline> = {}): Timeline => ({
  ...emptyTimeline,
  trackId: 'a',
  source: 'library',
  durationMs: 60_000,
  sequenceNumber: 100,
  ...timeline,
})

export const makeState = (timeline: Partial<Timeline> = {}): PlaybackState =>
  toPlaybackState(makeTimeline(timeline), ownerId)

export const makeOwnersRoom = (part: Partial<Room> = {}): Room =>
  makeRoom({
    id: 'room',
    name: 'Room',
    owner_id: ownerId,
    owner: { username: 'Owner', avatar_url: null },
    current_track_id: 'a',
    currentTrack: makeShortTrack('a'),
    listeners: 1,
    playback_state: makeState(),
    created_at: 0,
    ...part,
  })

export const makeOwnersMessage = (id: string): Message =>
  makeMessage({ id, room_id: 'room', user_id: ownerId, username: 'Owner', content: id })

export const makeSnapshot = (snapshot: Partial<RoomSnapshot> = {}): RoomSnapshot => ({
  room: makeOwnersRoom(),
  queue: makeQueue('b', 'c'),
  queueVersion: 1,
  members: [{ id: ownerId, username: 'Owner', avatar_url: null, is_owner: true }],
  memberCount: 1,
  state: makeState(),
  messages: [],
  serverTime: 0,
  ...snapshot,
})

export const emptyRoom = (userId = ownerId): RoomState =>
  initialRoomState(userId, {
    volume: 1,
    isMuted: false,
    nudgesMs: { library: 0, youtube: 0, spotify: 0 },
  })

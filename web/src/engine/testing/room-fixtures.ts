import {
  type Message,
  type PlaybackState,
  type QueueEntry,
  type Room,
  type Track,
  type RoomSnapshot,
  defaultRoomSettings,
} from '@earshot/core/protocol/entities'
import { emptyTimeline, toPlaybackState, type Timeline } from '@earshot/core/sync/timeline'
import { initialRoomState, type RoomState } from '../state/room-state.ts'

export const ownerId = 'owner'

export const makeTrack = (id: string, duration = 60_000): Track => ({
  id,
  title: `Track ${id}`,
  artist: 'Somebody',
  album: 'Something',
  duration,
  source: 'library',
  albumArt: null,
  album_art: null,
})

export const makeQueue = (...ids: string[]): QueueEntry[] =>
  ids.map((id, position) => ({ ...makeTrack(id), entry_id: `entry-${id}`, position, added_by: ownerId }))

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

export const makeRoom = (room: Partial<Room> = {}): Room => ({
  id: 'room',
  name: 'Room',
  owner_id: ownerId,
  owner: { username: 'Owner', avatar_url: null },
  settings: defaultRoomSettings,
  controller: null,
  is_public: true,
  preferred_source: 'library',
  is_playing: false,
  current_position: 0,
  last_updated: 0,
  current_track_id: 'a',
  currentTrack: makeTrack('a'),
  listeners: 1,
  playback_state: makeState(),
  created_at: 0,
  ...room,
})

export const makeMessage = (id: string): Message => ({
  id,
  room_id: 'room',
  user_id: ownerId,
  username: 'Owner',
  avatar_url: null,
  content: id,
  created_at: 0,
})

export const makeSnapshot = (snapshot: Partial<RoomSnapshot> = {}): RoomSnapshot => ({
  room: makeRoom(),
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

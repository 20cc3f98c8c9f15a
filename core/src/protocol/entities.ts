import { z } from 'zod'
import { limits } from '../limits.ts'
import { entryIdSchema, trackIdSchema } from './ids.ts'
import { commandNames } from './wire-constants.ts'

/** The entities of section 3 of docs/spec.md, with their wire names. Positions and durations in ms. */

export const sourceSchema = z.enum(['spotify', 'youtube', 'library'])
export type Source = z.infer<typeof sourceSchema>

export const commandNameSchema = z.enum(commandNames)
export type CommandName = z.infer<typeof commandNameSchema>

const gainSchema = z.number().min(-limits.trackGainMaxDb).max(limits.trackGainMaxDb)
const peakSchema = z.number().positive().max(limits.trackPeakMax)
const millisecondsSchema = z.number().nonnegative().max(Number.MAX_SAFE_INTEGER)

/**
 * 3.2. `albumArt` and `album_art` always carry the same value; both names are in use. A `duration` of 180000 means
 * unknown (9.15) unless `duration_unknown`, which is present only then, is false: read it with `knownDurationMs`.
 */
export const trackSchema = z.object({
  id: trackIdSchema,
  title: z.string().max(500),
  artist: z.string().max(500),
  album: z.string().max(500),
  duration: millisecondsSchema,
  duration_unknown: z.boolean().optional(),
  source: sourceSchema,
  albumArt: z.string().max(2_000).nullable(),
  album_art: z.string().max(2_000).nullable(),
  url: z.string().max(2_000).nullish(),
  uri: z.string().max(500).nullish(),
  /** The recording's international code, where the source states it. */
  isrc: z.string().max(20).nullish(),
  /** Why nobody can play it in a room; absent for a playable track. */
  restriction: z.enum(['not_embeddable', 'age_restricted', 'live', 'removed']).nullish(),
  /** Its provider offers it in some countries only. Absent where it does in all, and where that is unknown. */
  regional: z.boolean().optional(),
  /** By which to play it louder, dB, to bring it to the common loudness of -18 LUFS. Absent where that is unknown. */
  gain_db: gainSchema.optional(),
  /** Its largest sample, 1 being full scale: a larger gain than 1 / peak would clip. Absent where it is unknown. */
  peak: peakSchema.optional(),
  /** The same of its album, whose tracks it leaves as loud as they are to each other. */
  album_gain_db: gainSchema.optional(),
  album_peak: peakSchema.optional(),
})
export type Track = z.infer<typeof trackSchema>

/** 3.3. A queue entry: a track with its position and the user who added it. `entry_id` never changes. */
export const queueEntrySchema = trackSchema.extend({
  entry_id: entryIdSchema,
  position: z.number().int().nonnegative(),
  added_by: z.string().nullable(),
  /** The name of that user; absent if the account no longer exists. */
  added_by_name: z.string().optional(),
})
export type QueueEntry = z.infer<typeof queueEntrySchema>

const playbackCommandFields = {
  is_command: z.boolean().optional(),
  command: commandNameSchema.optional(),
  force_sync: z.boolean().optional(),
  initialJoin: z.boolean().optional(),
  is_seek_operation: z.boolean().optional(),
  manual_seek: z.boolean().optional(),
  is_position_update: z.boolean().optional(),
}

/**
 * 3.8. The playback state that the server broadcasts. `timestamp` is the server time in ms at which the position is
 * `current_position`; it lies in the future for a scheduled start.
 */
export const playbackStateSchema = z.object({
  is_playing: z.boolean(),
  current_position: millisecondsSchema,
  timestamp: millisecondsSchema,
  track_id: z.string().nullable(),
  sequence_number: z.number().int().nonnegative(),
  sender_id: z.string().nullable(),
  duration: millisecondsSchema,
  source: sourceSchema.nullable(),
  /** True between a track change and its start: clients load, buffer, send `track_ready` and wait. */
  cueing: z.boolean().optional(),
  /** The `commandId` of the command that led to this state. */
  command_id: z.string().optional(),
  ...playbackCommandFields,
})
export type PlaybackState = z.infer<typeof playbackStateSchema>

/**
 * The answer to a command or a playback state. `applied` is false if it changed nothing, as where it agrees with the timeline,
 * is of an older one, or repeats an earlier one. `retryAfterMs`: its position was refused, as it came too soon after another.
 */
export const playbackAnswerSchema = z.object({
  applied: z.boolean(),
  state: playbackStateSchema,
  retryAfterMs: z.number().int().optional(),
})
export type PlaybackAnswer = z.infer<typeof playbackAnswerSchema>

/** 3.1. The displayed name of an owner or author whose profile no longer exists. */
export const unknownUsername = 'Unknown'

/**
 * The owner's settings of a room. `control`: who may play, pause, seek and skip: the owner alone, the member who
 * has been there longest while the owner is away, or everybody. `guests`: who may come without an account; invited
 * means by one of the room's invite links. `removal`: whose queue entries a member may remove. `listed`: whether a
 * private room tells strangers its name, its owner and the number of listeners. `repeat`: whether what was played goes to
 * the end of the queue. `skipVotes`: how many of the listeners skip a track by their votes. `waitingTracks`: how many
 * tracks in the queue one member may have added; null: any number.
 */
export const roomSettingsSchema = z.object({
  control: z.enum(['owner', 'hand_over', 'everybody']).catch('hand_over').default('hand_over'),
  guests: z.enum(['nobody', 'invited', 'everyone']).catch('invited').default('invited'),
  guestsChat: z.boolean().catch(true).default(true),
  guestsQueue: z.boolean().catch(true).default(true),
  removal: z.enum(['anybody', 'own']).catch('anybody').default('anybody'),
  listed: z.boolean().catch(true).default(true),
  repeat: z.boolean().catch(false).default(false),
  skipVotes: z.enum(['off', 'half', 'third']).catch('off').default('off'),
  waitingTracks: z.literal(limits.waitingTracks).nullable().catch(null).default(null),
})
export type RoomSettings = z.infer<typeof roomSettingsSchema>

export const defaultRoomSettings: RoomSettings = roomSettingsSchema.parse({})

const ownerProfileSchema = z.object({ username: z.string(), avatar_url: z.string().nullable() })

/** 3.1. A room as it is listed. `listeners` is the number of members; the password never leaves the server. */
export const roomSchema = z.object({
  id: z.string(),
  /** Empty, as the owner's id, where a private room tells strangers neither. */
  name: z.string(),
  owner_id: z.string(),
  owner: ownerProfileSchema,
  is_public: z.boolean(),
  preferred_source: sourceSchema,
  is_playing: z.boolean(),
  current_position: millisecondsSchema,
  last_updated: millisecondsSchema,
  current_track_id: z.string().nullable(),
  /** Null without a track, and in a private room for users who were not admitted. */
  currentTrack: trackSchema.nullable(),
  /** The user who added the current track; null if unknown or hidden. */
  current_added_by: z.object({ id: z.string(), username: z.string() }).nullish(),
  listeners: z.number().int().nonnegative(),
  playback_state: playbackStateSchema,
  created_at: millisecondsSchema,
  settings: roomSettingsSchema.default(defaultRoomSettings),
  /** The member who has the controls while the owner is away; null otherwise. */
  controller: z.object({ id: z.string(), username: z.string() }).nullable().default(null),
})
export type Room = z.infer<typeof roomSchema>

/** 3.5. `id` sorts by time; `created_at` is the server's time in ms. */
export const messageSchema = z.object({
  id: z.string(),
  room_id: z.string(),
  user_id: z.string(),
  username: z.string(),
  avatar_url: z.string().nullable(),
  /** The author has no account. */
  is_guest: z.boolean().optional(),
  content: z.string(),
  created_at: millisecondsSchema,
  /** The id that the sender's client gave it; absent where it gave none. */
  client_message_id: z.string().optional(),
})
export type Message = z.infer<typeof messageSchema>

/** Whoever wrote a message, as it shows them. */
export const authorSchema = messageSchema.pick({ user_id: true, username: true, avatar_url: true })
export type Author = z.infer<typeof authorSchema>

/** 3.6, as returned to its own user. Provider tokens never leave the server. */
export const profileSchema = z.object({
  id: z.string(),
  email: z.string(),
  username: z.string(),
  full_name: z.string(),
  avatar_url: z.string().nullable(),
  preferred_source: sourceSchema,
  spotify_connected: z.boolean(),
  youtube_connected: z.boolean(),
  /** Whether tracks that this user cannot play are offered in another source. */
  match_elsewhere: z.boolean(),
})
export type Profile = z.infer<typeof profileSchema>

/** 3.9. A member who is present in the room. */
export const memberSchema = z.object({
  id: z.string(),
  username: z.string(),
  avatar_url: z.string().nullable(),
  is_owner: z.boolean(),
  /** A member without an account. */
  is_guest: z.boolean().optional(),
})
export type Member = z.infer<typeof memberSchema>

/** Whether a source is available on this server; if not, `reason` states the missing setting. */
export const sourceStatusSchema = z.object({
  source: sourceSchema,
  available: z.boolean(),
  reason: z.string().nullable(),
  /** False if the source works, but only with pasted links. */
  canSearch: z.boolean().optional(),
  /** It could be searched with an account, which this user does not have. */
  searchNeedsAccount: z.boolean().optional(),
  /** The provider's limit is reached: no search before this instant (ms). */
  searchPausedUntil: z.number().nullish(),
})
export type SourceStatus = z.infer<typeof sourceStatusSchema>

/** The complete state of a room for a joining member; needs no earlier message. */
export const roomSnapshotSchema = z.object({
  room: roomSchema,
  queue: z.array(queueEntrySchema),
  /** As in `queueUpdate`. */
  queueVersion: z.number().int().optional(),
  /** How many entries the queue has, where `queue` holds the first `limits.joinQueueSize` only. */
  queueTotal: z.number().int().positive().optional(),
  /** The client has this version of the queue, and `queue` is empty. */
  isQueueKnown: z.boolean().optional(),
  members: z.array(memberSchema),
  /** The total; `members` holds the first page, and the owner where they are present. */
  memberCount: z.number().int().nonnegative(),
  state: playbackStateSchema,
  /** The latest page, oldest first. */
  messages: z.array(messageSchema),
  /** The server's time in ms at which the snapshot was taken. */
  serverTime: z.number(),
})
export type RoomSnapshot = z.infer<typeof roomSnapshotSchema>

import { z } from 'zod'
import { limits } from '../limits.ts'
import { activitySchema } from './activity.ts'
import {
  authorSchema,
  commandNameSchema,
  memberSchema,
  messageSchema,
  playbackAnswerSchema,
  playbackStateSchema,
  queueEntrySchema,
  roomSchema,
  sourceSchema,
  roomSnapshotSchema,
} from './entities.ts'
import type { WireError } from './errors.ts'
import { unplayableCountsSchema, unplayableReasonSchema } from './providers.ts'
import {
  listenerSyncSchema,
  memberSyncCall,
  playerKindSchema,
  syncChangesFields,
  syncStatusFields,
} from './sync-report.ts'
import { skipVoteCall, skipVotesEventSchema } from './skip-votes.ts'
import { queueAnswerSchema, queueCommandSchema, queueDeltaFields } from './queue-calls.ts'
import { roomIdSchema, trackIdSchema } from './ids.ts'
import { clientMessageIdSchema, joinRoomSchema, messageContentSchema } from './validation.ts'
import { reactionKinds } from './wire-constants.ts'

/**
 * The realtime events of section 7 in both directions, with the names of the specification. Fields that identify a
 * user (`user`, `sender_id`) are accepted and ignored: the session identifies the user. Unknown fields are dropped.
 */

const ignored = z.unknown().optional()
const commandId = z.string().min(1).max(100).optional()
/** A position or duration in ms, bounded so that every database can store it. */
const position = z.number().nonnegative().max(limits.mediaTimeMaxMs)

/** The client gets `queueDelta`, not `queueUpdate`, and of a long queue the start, of which it reads the rest by `getQueue`. */
const queueForms = { queueDeltas: z.boolean().optional(), longQueues: z.boolean().optional() }

/** The client understands `sync_changes` and gets no `sync_status`. */
const syncChanges = z.boolean().optional()

/** Null stands for a field that is not there, as in a whole state that another client keeps. */
const orNull = <Value>(schema: z.ZodType<Value>) => schema.or(z.null().transform(() => undefined)).optional()

/** The playback state that a client may send (3.8); every field is optional. A position must be one. */
const sentStateSchema = z.object({
  is_playing: orNull(z.boolean()),
  current_position: position.optional(),
  timestamp: orNull(z.number()),
  track_id: z.string().max(200).nullish(),
  sequence_number: orNull(z.number()),
  sender_id: ignored,
  duration: orNull(position),
  source: sourceSchema.nullish(),
  command_id: orNull(z.string().min(1).max(100)),
  command: orNull(commandNameSchema),
  is_command: orNull(z.boolean()),
  force_sync: orNull(z.boolean()),
  initialJoin: orNull(z.boolean()),
  is_seek_operation: orNull(z.boolean()),
  manual_seek: orNull(z.boolean()),
  is_position_update: orNull(z.boolean()),
})

const echoed = { timestamp: ignored, clientId: ignored, test: ignored }
const echoAnswerSchema = z.object({ ...echoed, serverTime: z.number() })

export const clientEvents = {
  join_room: {
    payload: z.object({
      roomId: roomIdSchema,
      user: ignored,
      ...queueForms,
      syncChanges,
      ...joinRoomSchema.shape,
    }),
    ack: roomSnapshotSchema,
  },
  user_left: { payload: z.object({ roomId: roomIdSchema, user: ignored }), ack: z.object({}) },
  playback_update: {
    payload: z.object({ roomId: roomIdSchema, state: sentStateSchema }),
    ack: playbackAnswerSchema,
  },
  queue_updated: {
    payload: z.object({
      roomId: roomIdSchema,
      /** The order of entries with a known `entry_id`; tracks without one are added. Removes nothing. */
      queue: z
        .array(z.object({ id: trackIdSchema, entry_id: z.string().max(200).optional() }))
        .max(limits.queueMaxLength),
    }),
    ack: z.object({ queue: z.array(queueEntrySchema) }),
  },
  /** Changes the queue. The answer is small: the change arrives as `queueDelta` or `queueUpdate` before it. */
  queue_command: {
    payload: z.object({
      roomId: roomIdSchema,
      command: queueCommandSchema,
      commandId: z.string().min(1).max(100),
    }),
    ack: queueAnswerSchema,
  },
  track_changed: {
    payload: z.object({
      roomId: roomIdSchema,
      trackId: trackIdSchema,
      currentTrack: ignored,
      position: position.optional(),
      isPlaying: z.boolean().optional(),
      timestamp: ignored,
      timestamps: ignored,
      version: ignored,
      forceSync: ignored,
      commandId,
    }),
    ack: playbackAnswerSchema,
  },
  send_message: {
    payload: z.object({
      roomId: roomIdSchema,
      message: z.union([messageContentSchema, z.object({ content: messageContentSchema })]),
      /** A repetition with the same id is stored and broadcast once; its answer is the stored message. */
      clientMessageId: clientMessageIdSchema.optional(),
    }),
    ack: z.object({ message: messageSchema }),
  },
  /** Shows a reaction on the pages of all members, all at the same server time. Not stored. */
  reaction: {
    payload: z.object({ roomId: roomIdSchema, kind: z.enum(reactionKinds) }),
    ack: z.object({}),
  },
  direct_command: {
    payload: z.object({
      roomId: roomIdSchema,
      command: commandNameSchema,
      position: position.optional(),
      timestamp: ignored,
      timestamps: ignored,
      priority: ignored,
      forceSync: ignored,
      isFollowUp: z.boolean().optional(),
      commandId,
      /** The track that a `next` skips; it changes nothing where another one is current by then. */
      trackId: z.string().max(200).optional(),
    }),
    ack: playbackAnswerSchema,
  },
  request_sync: {
    payload: z.object({
      roomId: roomIdSchema,
      timestamp: ignored,
      initialJoin: ignored,
      clientId: ignored,
      priority: ignored,
      forceSync: ignored,
      ...queueForms,
      /** The version of the queue that the client has: if it is current, the answer leaves the queue out. */
      queueVersion: z.number().int().optional(),
      /** The answer leaves out what events keep up to date: room, members and messages. */
      brief: z.boolean().optional(),
    }),
    ack: roomSnapshotSchema.partial({ room: true, members: true, memberCount: true, messages: true }),
  },
  /** The client has loaded and buffered the cued track; `isNext`: the one that follows the playing one in the queue. */
  track_ready: {
    payload: z.object({
      roomId: roomIdSchema,
      trackId: z.string().max(200),
      sequenceNumber: z.number().int(),
      isNext: z.boolean().optional(),
    }),
    ack: z.object({}),
  },
  skip_vote: skipVoteCall,
  /** How well this listener is in sync, the round trip time in ms and the kind of player. Needs no acknowledgement. */
  sync_report: {
    payload: listenerSyncSchema.extend({
      roomId: roomIdSchema,
      rttMs: z.number().nonnegative().max(60_000).nullable(),
      player: playerKindSchema.nullish(),
    }),
    ack: z.object({}),
  },
  member_sync: memberSyncCall,
  /**
   * The tracks among the current and the next ones that this member cannot play; replaces the earlier report. Sent
   * after joining and when it changes. Returns the counts of all members as of the last `playability`.
   */
  playability_report: {
    payload: z.object({
      roomId: roomIdSchema,
      unplayable: z
        .array(z.object({ trackId: trackIdSchema, reason: unplayableReasonSchema }))
        .max(limits.playabilityReportSize),
    }),
    ack: z.object({ unplayable: unplayableCountsSchema }),
  },
  /** The clock probe: returns `time` with the server's time at receipt and at sending, in ms. */
  ping: {
    payload: z.object({ time: z.number() }),
    ack: z.object({ time: z.number(), receivedAtMs: z.number(), sentAtMs: z.number() }),
  },
  /** Answered with the same values, whatever they are; without an acknowledgement by an event of the same name. */
  echo: { payload: z.object(echoed), ack: echoAnswerSchema },
} as const

/** Names of the same events in older clients. */
export const clientEventAliases = { sync_request: 'request_sync', get_sync: 'request_sync' } as const

export const serverEvents = {
  echo: echoAnswerSchema,
  playback_updated: z.object({ roomId: roomIdSchema, state: playbackStateSchema }),
  direct_command: z.object({
    roomId: roomIdSchema,
    command: commandNameSchema,
    position: z.number().nonnegative(),
    timestamp: z.number(),
    sequence_number: z.number().int(),
    sender_id: z.string().nullable(),
  }),
  /**
   * `version` increases with every change of the queue; a lower one than the last is stale. `sequence_number` is that of
   * the timeline of the same change: where it is new, its `playback_updated` follows.
   */
  queueUpdate: z.object({
    roomId: roomIdSchema,
    queue: z.array(queueEntrySchema),
    version: z.number().int().optional(),
    sequence_number: z.number().int().optional(),
  }),
  /** Instead of `queueUpdate`, to clients that announced `queueDeltas`. Another `baseVersion` than the known one: a gap. */
  queueDelta: z.object({ roomId: roomIdSchema, ...queueDeltaFields, sequence_number: z.number().int() }),
  userJoin: z.object({ roomId: roomIdSchema, user: memberSchema }),
  /** The first page of members who are present, with the owner where they are present, and the total. */
  userPresence: z.object({ roomId: roomIdSchema, users: z.array(memberSchema), count: z.number().int() }),
  roomUpdate: z.object({ roomId: roomIdSchema, room: roomSchema }),
  /** The room no longer exists. `reason`: `deleted` by its owner; a newer server may know more. */
  room_closed: z.object({ roomId: roomIdSchema, reason: z.string() }),
  message: z.object({ roomId: roomIdSchema, message: messageSchema }),
  /** A message of the chat was deleted by its author or by the owner of the room. */
  messageDeleted: z.object({ roomId: roomIdSchema, messageId: z.string() }),
  /** The owner of the room banned a user and had their messages deleted, with all ids up to `upToId`. */
  messagesDeleted: z.object({ roomId: roomIdSchema, userId: z.string(), upToId: z.string() }),
  /** The messages of a user are another's: of the account that a guest made, or, of a deleted account, 'Unknown'. */
  authorChanged: z.object({ roomId: roomIdSchema, userId: z.string(), author: authorSchema }),
  /** The owner removed this user, who gets no more events of the room. Sent to all of the user's connections there. */
  removed_from_room: z.object({ roomId: roomIdSchema, reason: z.enum(['kicked', 'banned']) }),
  /** Something happened that members may like to know. Collected for 2 s and limited; not stored. */
  activity: activitySchema.extend({ roomId: roomIdSchema }),
  /**
   * The reactions of the last moments, to be shown at the server time `at` (ms), which lies slightly ahead; at most one
   * in 100 ms per room. Each kind once, with its count. A newer server may know more kinds.
   */
  reactions: z.object({
    roomId: roomIdSchema,
    at: z.number(),
    items: z.array(z.object({ kind: z.string(), count: z.number().int().positive() })),
  }),
  /** The room skipped `count` tracks that are gone or that nobody can play; the first has this title. */
  track_unavailable: z.object({
    roomId: roomIdSchema,
    title: z.string(),
    count: z.number().int().positive(),
    /** Why the first one was skipped; absent where it is gone. A newer server may know more reasons. */
    reason: z.string().optional(),
  }),
  skip_votes: skipVotesEventSchema,
  sync_status: z.object({ roomId: roomIdSchema, ...syncStatusFields }),
  sync_changes: z.object({ roomId: roomIdSchema, ...syncChangesFields }),
  /** How many members cannot play which of the current and the next tracks, when it changed; at most once a second. */
  playability: z.object({ roomId: roomIdSchema, unplayable: unplayableCountsSchema }),
} as const

type ClientEvents = typeof clientEvents
export type ClientEventName = keyof ClientEvents
export type ClientPayload<Name extends ClientEventName> = z.infer<ClientEvents[Name]['payload']>
export type ClientAck<Name extends ClientEventName> = z.infer<ClientEvents[Name]['ack']>
type ServerEvents = typeof serverEvents
export type ServerEventName = keyof ServerEvents
export type ServerPayload<Name extends ServerEventName> = z.infer<ServerEvents[Name]>

/** An acknowledgement: data, or an error with its code. */
export type Ack<Data> = { ok: true; data: Data } | { ok: false; error: WireError }

/** The event maps for the types of socket.io. */
export type ClientToServerEvents = {
  [Name in ClientEventName]: (
    payload: ClientPayload<Name>,
    ack: (answer: Ack<ClientAck<Name>>) => void,
  ) => void
}
export type ServerToClientEvents = {
  [Name in ServerEventName]: (payload: ServerPayload<Name>) => void
}

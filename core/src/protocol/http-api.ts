import { z } from 'zod'
import { limits } from '../limits.ts'
import { chatCalls } from './chat-calls.ts'
import { adminCalls, signUpModeSchema } from './admin-calls.ts'
import {
  memberSchema,
  profileSchema,
  queueEntrySchema,
  roomSchema,
  sourceStatusSchema,
  trackSchema,
} from './entities.ts'
import { entryIdSchema, roomParams, trackIdSchema } from './ids.ts'
import { libraryCalls } from './library-calls.ts'
import { moderationCalls } from './moderation-calls.ts'
import { doorCalls } from './door-calls.ts'
import { controlCalls } from './control-calls.ts'
import { providerCalls } from './provider-calls.ts'
import { queueCalls } from './queue-calls.ts'
import {
  createRoomSchema,
  joinRoomSchema,
  profileUpdateSchema,
  roomsQuerySchema,
  searchQuerySchema,
} from './validation.ts'
import { validationMessages } from './validation-messages.ts'

/**
 * The HTTP calls of section 7, one entry each. The server's validation, the page's client and the OpenAPI document
 * are made from this table. Errors are `{ error: WireError }`.
 */

const empty = z.object({})
const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3)
/** The queue after a change; empty in a brief answer. */
const changedQueue = z.object({ queue: z.array(queueEntrySchema), version: z.number().int().optional() })

export const httpApi = {
  listRooms: {
    method: 'GET',
    path: '/api/rooms',
    summary: 'List the rooms, most listeners first, in pages; idle ones only in a search and to their owner',
    signedIn: false,
    query: roomsQuerySchema,
    /** `nextCursor` continues the list; null at its end. */
    response: z.object({ rooms: z.array(roomSchema), nextCursor: z.string().nullish() }),
  },
  createRoom: {
    method: 'POST',
    path: '/api/rooms',
    summary: 'Create a room; its creator owns it (not guests)',
    signedIn: true,
    needsAccount: true,
    body: createRoomSchema,
    response: z.object({ id: z.string() }),
  },
  getRoom: {
    method: 'GET',
    path: '/api/rooms/:roomId',
    summary: 'Get one room',
    signedIn: false,
    params: roomParams,
    response: z.object({ room: roomSchema }),
  },
  joinRoom: {
    method: 'POST',
    path: '/api/rooms/:roomId/join',
    summary:
      'Become a member (a private room requires its password, or an invite), for a minute after each call for members or audio, or while a socket is in the room',
    signedIn: true,
    params: roomParams,
    body: joinRoomSchema,
    response: z.object({ room: roomSchema }),
  },
  leaveRoom: {
    method: 'POST',
    path: '/api/rooms/:roomId/leave',
    summary: 'Stop being a member',
    signedIn: true,
    params: roomParams,
    response: empty,
  },
  createInvite: {
    method: 'POST',
    path: '/api/rooms/:roomId/invites',
    summary:
      'Create an invite link that admits so many users without the password, or any number of them (owner)',
    signedIn: true,
    params: roomParams,
    body: z.object({ uses: z.number().int().min(1).max(limits.inviteUsesMax).nullable().default(null) }),
    response: z.object({ token: z.string(), expiresAt: z.number() }),
  },
  revokeInvites: {
    method: 'DELETE',
    path: '/api/rooms/:roomId/invites',
    summary: 'End all invite links of the room (owner)',
    signedIn: true,
    params: roomParams,
    response: empty,
  },
  listMembers: {
    method: 'GET',
    path: '/api/rooms/:roomId/members',
    summary: 'List the members who are present, in pages',
    signedIn: true,
    params: roomParams,
    query: z.object({ offset: z.coerce.number().int().min(0).default(0) }),
    response: z.object({ members: z.array(memberSchema), memberCount: z.number().int() }),
  },
  getQueue: {
    method: 'GET',
    path: '/api/rooms/:roomId/queue',
    summary: 'Get the queue in order (members)',
    signedIn: true,
    params: roomParams,
    response: z.object({ queue: z.array(queueEntrySchema), version: z.number().int().optional() }),
  },
  addToQueue: {
    method: 'POST',
    path: '/api/rooms/:roomId/queue',
    summary: 'Append a known track, or make it current if the room has no current track (members)',
    signedIn: true,
    params: roomParams,
    body: z.object({
      trackId: trackIdSchema,
      /** The same for a retry, which adds nothing twice. */
      commandId: z.string().min(1).max(100).optional(),
      /** Leaves the queue out of the answer. */
      brief: z.boolean().optional(),
    }),
    response: changedQueue,
  },
  removeFromQueue: {
    method: 'DELETE',
    path: '/api/rooms/:roomId/queue/:entryId',
    summary: 'Remove an entry and renumber the others from 0 (members)',
    signedIn: true,
    params: roomParams.extend({ entryId: entryIdSchema }),
    query: z.object({ brief: z.literal('true').optional() }),
    response: changedQueue,
  },
  searchTracks: {
    method: 'GET',
    path: '/api/tracks',
    summary: 'Search one source, in pages',
    signedIn: true,
    query: searchQuerySchema,
    response: z.object({
      tracks: z.array(trackSchema),
      total: z.number().int(),
      nextOffset: z.number().int().nullable(),
    }),
  },
  browseLibrary: {
    method: 'GET',
    path: '/api/library',
    summary: 'List the music library by artist, album and title, in pages',
    signedIn: true,
    query: z.object({ offset: z.coerce.number().int().min(0).max(limits.libraryOffsetMax).default(0) }),
    response: z.object({
      tracks: z.array(trackSchema),
      total: z.number().int(),
      nextOffset: z.number().int().nullable(),
      /** The server is scanning the music folder, so more tracks may follow. */
      isScanning: z.boolean(),
    }),
  },
  getTrack: {
    method: 'GET',
    path: '/api/tracks/:trackId',
    summary: 'Get one track',
    signedIn: true,
    params: z.object({ trackId: trackIdSchema }),
    response: z.object({ track: trackSchema }),
  },
  listSources: {
    method: 'GET',
    path: '/api/sources',
    summary: 'List the sources, with the missing settings of those that are not available',
    signedIn: false,
    response: z.object({ sources: z.array(sourceStatusSchema) }),
  },
  deleteAccount: {
    method: 'POST',
    path: '/api/account/delete',
    summary: 'Delete the account, its profile and its rooms',
    signedIn: true,
    needsAccount: true,
    body: z.object({
      password: z.string().min(1, validationMessages.passwordRequired).max(limits.accountPasswordMaxLength),
    }),
    response: empty,
  },
  getProfile: {
    method: 'GET',
    path: '/api/profile',
    summary: "Get the signed-in user's profile",
    signedIn: true,
    response: z.object({ profile: profileSchema }),
  },
  updateProfile: {
    method: 'PATCH',
    path: '/api/profile',
    summary: 'Change name or preferred source',
    signedIn: true,
    body: profileUpdateSchema,
    response: z.object({ profile: profileSchema }),
  },
  setProfilePicture: {
    method: 'POST',
    path: '/api/profile/picture',
    summary: `Set the picture: a JPEG, PNG or WebP image of at most ${limits.profilePictureMaxBytes} bytes, in base64`,
    signedIn: true,
    needsAccount: true,
    body: z.object({ image: z.base64().min(1).max(base64Length(limits.profilePictureMaxBytes)) }),
    response: z.object({ profile: profileSchema }),
  },
  removeProfilePicture: {
    method: 'DELETE',
    path: '/api/profile/picture',
    summary: 'Remove the picture',
    signedIn: true,
    needsAccount: true,
    response: z.object({ profile: profileSchema }),
  },
  getConfig: {
    method: 'GET',
    path: '/api/config',
    summary: 'Get the settings of this server that a page needs',
    signedIn: false,
    response: z.object({
      socketServers: z.array(z.string()),
      /** The address that links to be shared begin with. Null for that of the page. */
      publicUrl: z.string().nullish(),
      version: z.string(),
      googleSignIn: z.boolean(),
      mailConfirmation: z.boolean(),
      /** Missing: open. */
      signUp: signUpModeSchema.optional(),
      /** Public, as in the address of the consent page. Null where Spotify is not set up. */
      spotifyClientId: z.string().nullish(),
      /** Null for `/callback` of the page's own address. */
      spotifyRedirectUri: z.string().nullish(),
    }),
  },
  ...moderationCalls,
  ...controlCalls,
  ...chatCalls,
  ...providerCalls,
  ...doorCalls,
  ...queueCalls,
  ...libraryCalls,
  ...adminCalls,
} as const satisfies Record<string, HttpCall>

export type HttpApi = typeof httpApi
export type HttpCallName = keyof HttpApi

/** One call. `signedIn`: requires a session. */
export interface HttpCall {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  summary: string
  signedIn: boolean
  /** Refuses guests: `account_required`. */
  needsAccount?: boolean
  /** The message of `unauthenticated`, where it is not the general one. */
  signedOutMessage?: string
  /** The answer holds a secret: no cache may keep it. */
  noStore?: boolean
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  response: z.ZodType
}

/** The query of a cover: its version, the size in which it is wanted instead of the original, and a visitor's permit. */
export const artQuerySchema = z.object({
  v: z.string().max(40).optional(),
  grant: z.string().max(100).optional(),
  size: z.coerce.number().pipe(z.literal(limits.coverSizesPx)).optional(),
})

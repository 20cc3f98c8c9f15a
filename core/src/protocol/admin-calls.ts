import { z } from 'zod'
import { limits } from '../limits.ts'
import { roomParams, userIdSchema } from './ids.ts'
import { roomNameSchema } from './validation.ts'

/** The HTTP calls of the administration. Those for administrators answer `not_admin` to everybody else. */

/** Accounts may be created by everybody, by those with an invite, or by nobody. */
export const signUpModeSchema = z.enum(['open', 'invite', 'closed'])
export type SignUpMode = z.infer<typeof signUpModeSchema>

/** The music library is open outside of rooms to every account, or to those an administrator or an invite let in. */
export const libraryAccessSchema = z.enum(['everyone', 'invited'])
export type LibraryAccess = z.infer<typeof libraryAccessSchema>

const adminUserSchema = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  createdAt: z.number(),
  /** When a session of the user was last renewed, to the day; null without a session. */
  lastSeenAt: z.number().nullable(),
  isAdmin: z.boolean(),
  isDisabled: z.boolean(),
  /** May use the library where only invited users may. */
  hasLibraryAccess: z.boolean(),
})
export type AdminUser = z.infer<typeof adminUserSchema>

const adminRoomSchema = z.object({
  id: z.string(),
  name: z.string(),
  isPublic: z.boolean(),
  ownerName: z.string().nullable(),
  members: z.number().int(),
  createdAt: z.number(),
})
export type AdminRoom = z.infer<typeof adminRoomSchema>

/** An invite to the server. Its token is shown once, when it is made. */
const serverInviteSchema = z.object({
  id: z.string(),
  note: z.string(),
  createdAt: z.number(),
  expiresAt: z.number(),
  uses: z.number().int(),
  maxUses: z.number().int(),
  givesLibraryAccess: z.boolean(),
})
export type ServerInvite = z.infer<typeof serverInviteSchema>

export const newInviteSchema = z.object({
  note: z.string().trim().max(limits.inviteNoteMaxLength).default(''),
  days: z.number().int().min(1).max(limits.serverInviteDaysMax).default(14),
  uses: z.number().int().min(1).max(limits.inviteUsesMax).default(1),
  givesLibraryAccess: z.boolean().default(true),
})

const inviteTokenSchema = z.string().min(1).max(100)

const libraryStateSchema = z.object({
  isScanning: z.boolean(),
  /** Why there is no library; null where there is one. */
  reason: z.string().nullable(),
  trackCount: z.number().int(),
  problemCount: z.number().int(),
  /** The first ones, by path. */
  problems: z.array(z.object({ path: z.string(), reason: z.string() })),
})

const serverFiguresSchema = z.object({
  version: z.string(),
  uptimeMs: z.number(),
  users: z.number().int(),
  rooms: z.number().int(),
  /** Present in rooms, of all processes. */
  members: z.number().int(),
  /** Of this process, as the following. */
  sockets: z.number().int(),
  memoryBytes: z.number(),
  /** How late 99 of 100 timers were, at most, since the figures were last read. */
  eventLoopDelayMs: z.number().nullable(),
  storage: z.object({
    databaseBytes: z.number(),
    coversBytes: z.number(),
    /** Indexes of audio files, which can be deleted. */
    cacheBytes: z.number(),
    /** In the data folder: copies before migrations, data that a restore replaced, backups, and mails. */
    copiesBytes: z.number(),
    freeDiskBytes: z.number(),
  }),
})
export type ServerFigures = z.infer<typeof serverFiguresSchema>

const empty = z.object({})
const userParams = z.object({ userId: userIdSchema })
const pageQuery = z.object({
  q: z.string().trim().max(limits.searchQueryMaxLength).default(''),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
})
const pageFields = { total: z.number().int(), nextOffset: z.number().int().nullable() }

export const adminCalls = {
  checkInvite: {
    method: 'POST',
    path: '/api/invites/check',
    summary: 'Check whether an invite to the server still admits',
    signedIn: false,
    noStore: true,
    body: z.object({ token: inviteTokenSchema }),
    response: z.object({ isValid: z.boolean() }),
  },
  getAdminStatus: {
    method: 'GET',
    path: '/api/admin/status',
    summary: 'Whether the user is an administrator, and whether the code that makes the first one is awaited',
    signedIn: true,
    response: z.object({ isAdmin: z.boolean(), isCodeAwaited: z.boolean() }),
  },
  claimAdmin: {
    method: 'POST',
    path: '/api/admin/claim',
    summary: 'Become the first administrator with the one-time code that the server printed',
    signedIn: true,
    needsAccount: true,
    body: z.object({ code: z.string().trim().min(1).max(100) }),
    response: empty,
  },
  listUsers: {
    method: 'GET',
    path: '/api/admin/users',
    summary: 'List or search the users by name and email, newest first, in pages (administrators)',
    signedIn: true,
    query: pageQuery,
    response: z.object({ users: z.array(adminUserSchema), ...pageFields }),
  },
  updateUser: {
    method: 'PATCH',
    path: '/api/admin/users/:userId',
    summary: 'Disable or enable a user, or change what the user may do (administrators)',
    signedIn: true,
    params: userParams,
    body: z.object({
      isDisabled: z.boolean().optional(),
      isAdmin: z.boolean().optional(),
      hasLibraryAccess: z.boolean().optional(),
    }),
    response: z.object({ user: adminUserSchema }),
  },
  deleteUser: {
    method: 'DELETE',
    path: '/api/admin/users/:userId',
    summary: 'Delete the account of another user, its profile and its rooms (administrators)',
    signedIn: true,
    params: userParams,
    response: empty,
  },
  createResetLink: {
    method: 'POST',
    path: '/api/admin/users/:userId/reset-link',
    summary: 'Create a link with which the user sets a new password (administrators)',
    signedIn: true,
    noStore: true,
    params: userParams,
    response: z.object({ link: z.string(), expiresAt: z.number() }),
  },
  listAllRooms: {
    method: 'GET',
    path: '/api/admin/rooms',
    summary: 'List or search all rooms by name, newest first, in pages (administrators)',
    signedIn: true,
    query: pageQuery,
    response: z.object({ rooms: z.array(adminRoomSchema), ...pageFields }),
  },
  renameAnyRoom: {
    method: 'PATCH',
    path: '/api/admin/rooms/:roomId',
    summary: 'Rename a room (administrators)',
    signedIn: true,
    params: roomParams,
    body: z.object({ name: roomNameSchema }),
    response: empty,
  },
  deleteAnyRoom: {
    method: 'DELETE',
    path: '/api/admin/rooms/:roomId',
    summary: 'Delete a room with its queue and chat (administrators)',
    signedIn: true,
    params: roomParams,
    response: empty,
  },
  listServerInvites: {
    method: 'GET',
    path: '/api/admin/invites',
    summary: 'List the invites to the server, newest first (administrators)',
    signedIn: true,
    response: z.object({ invites: z.array(serverInviteSchema) }),
  },
  createServerInvite: {
    method: 'POST',
    path: '/api/admin/invites',
    summary: 'Create an invite to the server; its token is shown only now (administrators)',
    signedIn: true,
    noStore: true,
    body: newInviteSchema,
    response: z.object({ invite: serverInviteSchema, token: z.string(), link: z.string() }),
  },
  revokeServerInvite: {
    method: 'DELETE',
    path: '/api/admin/invites/:inviteId',
    summary: 'End an invite to the server (administrators)',
    signedIn: true,
    params: z.object({ inviteId: z.string().min(1).max(100) }),
    response: empty,
  },
  getLibraryState: {
    method: 'GET',
    path: '/api/admin/library',
    summary: 'Get the state of the music library, with the files that cannot be used (administrators)',
    signedIn: true,
    response: z.object({ library: libraryStateSchema }),
  },
  scanLibrary: {
    method: 'POST',
    path: '/api/admin/library/scan',
    summary: 'Scan the music folder now, in the background (administrators)',
    signedIn: true,
    response: empty,
  },
  getFigures: {
    method: 'GET',
    path: '/api/admin/figures',
    summary: 'Get live figures and the storage used (administrators)',
    signedIn: true,
    response: z.object({ figures: serverFiguresSchema }),
  },
} as const

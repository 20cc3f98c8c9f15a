import { z } from 'zod'

/** The closed list of error codes. The page has a text for each, which the compiler checks. */
export const errorCodes = [
  'unauthenticated',
  'origin_refused',
  'client_key_required',
  'sign_up_closed',
  'invite_required',
  'name_taken',
  'account_disabled',
  'not_admin',
  'wrong_code',
  'library_closed',
  'room_not_found',
  'track_not_found',
  'queue_entry_not_found',
  'not_a_member',
  'not_owner',
  'banned',
  'network_banned',
  'not_your_entry',
  'password_required',
  'wrong_password',
  'account_required',
  'guests_not_admitted',
  'guests_cannot_chat',
  'guests_cannot_queue',
  'no_track',
  'queue_full',
  'too_many_waiting',
  'too_many_rooms',
  'source_unavailable',
  'not_connected',
  'must_reconnect',
  'provider_failed',
  'provider_limit',
  'link_not_supported',
  'invalid_input',
  'payload_too_large',
  'unknown_event',
  'not_found',
  'rate_limited',
  'unavailable',
  'internal',
] as const

export const errorCodeSchema = z.enum(errorCodes)
export type ErrorCode = z.infer<typeof errorCodeSchema>

/** An error on the wire: `issues` for invalid input (with dotted paths), `retryAfterMs` for rate limits. */
export const wireErrorSchema = z.object({
  code: errorCodeSchema,
  message: z.string(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  retryAfterMs: z.number().int().nonnegative().optional(),
})
export type WireError = z.infer<typeof wireErrorSchema>

/** The HTTP status of each code; sockets carry the code alone. */
export const httpStatus: Record<ErrorCode, number> = {
  unauthenticated: 401,
  origin_refused: 403,
  client_key_required: 401,
  sign_up_closed: 403,
  invite_required: 403,
  name_taken: 409,
  account_disabled: 403,
  not_admin: 403,
  wrong_code: 403,
  library_closed: 403,
  room_not_found: 404,
  track_not_found: 404,
  queue_entry_not_found: 404,
  not_a_member: 403,
  not_owner: 403,
  banned: 403,
  network_banned: 403,
  not_your_entry: 403,
  password_required: 403,
  wrong_password: 403,
  account_required: 403,
  guests_not_admitted: 403,
  guests_cannot_chat: 403,
  guests_cannot_queue: 403,
  no_track: 409,
  queue_full: 409,
  too_many_waiting: 409,
  too_many_rooms: 409,
  source_unavailable: 503,
  not_connected: 409,
  must_reconnect: 409,
  provider_failed: 502,
  provider_limit: 429,
  link_not_supported: 400,
  invalid_input: 400,
  payload_too_large: 413,
  unknown_event: 400,
  not_found: 404,
  rate_limited: 429,
  unavailable: 503,
  internal: 500,
}

const defaultMessages: Record<ErrorCode, string> = {
  unauthenticated: 'User not authenticated',
  origin_refused: 'This origin may not call this server',
  client_key_required: 'A valid client key is required',
  sign_up_closed: 'This server accepts no new accounts',
  invite_required: 'Sign-up is by invitation, and this invitation is missing, used up or expired',
  name_taken: 'This name is taken',
  account_disabled: 'This account is disabled. Ask the administrator of this server',
  not_admin: 'Only an administrator can do that',
  wrong_code: 'This code is wrong or expired',
  library_closed: 'The library of this server is for invited members',
  room_not_found: 'Room not found',
  track_not_found: 'Track not found',
  queue_entry_not_found: 'Queue entry not found',
  not_a_member: 'Join the room first',
  not_owner: 'Only the owner of the room can do that',
  banned: 'The owner of this room has banned you from it',
  network_banned: 'New guests from this network cannot join this room for now. Sign in to join',
  not_your_entry: 'In this room, members remove only what they added themselves',
  password_required: 'This room asks for a password',
  wrong_password: 'Wrong password',
  account_required: 'Create an account to do that',
  guests_not_admitted: 'This room does not admit guests without an invite link',
  guests_cannot_chat: 'Guests cannot chat in this room',
  guests_cannot_queue: 'Guests cannot change the queue of this room',
  no_track: 'There is no current track',
  queue_full: 'The queue is full',
  too_many_waiting: 'You have as many tracks waiting as this room allows each member',
  too_many_rooms: 'You have too many rooms. Delete one first',
  source_unavailable: 'This source is not available on this server',
  not_connected: 'Connect your account first',
  must_reconnect: 'The connection to your account has ended. Connect it again',
  provider_failed: 'The provider could not answer',
  provider_limit: "The provider's limit is reached. Try again later",
  link_not_supported: 'Only links to YouTube and Spotify tracks and playlists can be added',
  invalid_input: 'Invalid input',
  payload_too_large: 'The message is too large',
  unknown_event: 'Unknown event',
  not_found: 'Not found',
  rate_limited: 'Too many requests',
  unavailable: 'The server is not available right now',
  internal: 'Something went wrong on the server',
}

/** The only expected error. Anything else that is thrown is a bug and reaches clients as `internal`. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: Pick<WireError, 'issues' | 'retryAfterMs'>

  /** `cause` never leaves the server. */
  constructor(
    code: ErrorCode,
    message: string = defaultMessages[code],
    { cause, ...details }: AppError['details'] & { cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'AppError'
    this.code = code
    this.details = details
  }
}

export function hasCode(error: unknown, ...codes: ErrorCode[]): boolean {
  return error instanceof AppError && codes.includes(error.code)
}

/** Returns `internal` for an unexpected error. */
export function codeOf(error: unknown): ErrorCode {
  return error instanceof AppError ? error.code : 'internal'
}

/** Converts an error to its wire form. Of an unexpected error only the code leaves the server. */
export function toWireError(error: unknown): WireError {
  if (error instanceof AppError) return { code: error.code, message: error.message, ...error.details }
  return { code: 'internal', message: defaultMessages.internal }
}

/** Converts a received error back. */
export function fromWireError(error: WireError): AppError {
  const { code, message, ...details } = error
  return new AppError(code, message, details)
}

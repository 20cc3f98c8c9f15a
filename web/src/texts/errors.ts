import type { ErrorCode } from '@earshot/core/protocol/errors'

/** The text for an error code, if the screen has none of its own. */
export const errorTexts: Record<ErrorCode, string> = {
  unauthenticated: 'User not authenticated',
  origin_refused:
    'This server does not accept this address. Its operator can allow it with the setting PUBLIC_URL.',
  client_key_required: 'This app has no valid key for this server.',
  sign_up_closed: 'This server accepts no new accounts.',
  invite_required: 'Sign-up is by invitation, and this invitation is missing, used up or expired.',
  name_taken: 'This name is taken. Choose another one.',
  account_disabled: 'This account is disabled. Ask the administrator of this server.',
  not_admin: 'Only an administrator can do this.',
  wrong_code: 'This code is wrong or expired.',
  library_closed: 'The library of this server is for invited members.',
  room_not_found: 'Room not found',
  track_not_found: 'This track is no longer available.',
  queue_entry_not_found: 'This track is no longer in the queue.',
  not_a_member: 'Join the room first.',
  not_owner: 'Only the owner of the room can do this.',
  banned: 'The owner of this room has banned you from it.',
  network_banned: 'New guests from this network cannot join. Sign in.',
  not_your_entry: 'In this room you can remove only what you added yourself.',
  password_required: 'This room requires a password.',
  wrong_password: 'Wrong password. Try again.',
  account_required: 'Guests cannot do this. Create an account first.',
  guests_not_admitted: 'This room does not admit guests without an invite link.',
  guests_cannot_chat: 'Guests cannot chat in this room.',
  guests_cannot_queue: 'Guests cannot change the queue of this room.',
  no_track: 'No track is playing.',
  queue_full: 'The queue is full.',
  too_many_waiting:
    'You have as many tracks waiting as this room allows each member. Add more once one has played.',
  too_many_rooms: 'You have too many rooms. Delete one first.',
  source_unavailable: 'This source is not available on this server.',
  not_connected: 'Connect your account first.',
  must_reconnect: 'The connection to your account has ended. Connect it again.',
  provider_failed: 'The provider did not answer. Try again in a moment.',
  provider_limit: "The provider's limit is reached. Try again later.",
  link_not_supported: 'Only links to YouTube and Spotify tracks and playlists can be added.',
  invalid_input: 'The server rejected this request as invalid.',
  payload_too_large: 'This is too long.',
  unknown_event: 'The server does not support this.',
  not_found: 'Not found.',
  rate_limited: 'Too many requests. Wait a moment and try again.',
  unavailable: 'The server is not available right now.',
  internal: 'Something went wrong on the server.',
}

/** `when`: 'in 9 minutes'. */
export const retryText = (when: string): string => `Too many requests. Try again ${when}.`

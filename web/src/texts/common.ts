import type { Source } from '@earshot/core/protocol/entities'
import type { ErrorCode } from '@earshot/core/protocol/errors'

/** The texts of every page: names, errors, sources, and what frames the screens. Those quoted in docs/spec.md match it to the letter. */

export const productName = 'Earshot'

export const sourceNames: Record<Source, string> = {
  library: 'Library',
  spotify: 'Spotify',
  youtube: 'YouTube',
}

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
  not_your_entry: 'In this room you can remove only what you added yourself.',
  password_required: 'This room requires a password.',
  wrong_password: 'Wrong password. Try again.',
  account_required: 'Guests cannot do this. Create an account first.',
  guests_not_admitted: 'This room does not admit guests without an invite link.',
  guests_cannot_chat: 'Guests cannot chat in this room.',
  no_track: 'No track is playing.',
  queue_full: 'The queue is full.',
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

/** Links of a track to its provider. */
export const trackSource = {
  at: (title: string, source: string) => `${title} on ${source}`,
}

export const common = {
  close: 'Close',
  loading: 'Loading',
  unknownUser: 'Unknown',
  unexpectedTitle: 'Something went wrong',
  unexpectedText: 'This page could not be displayed. Reload it to try again.',
  unloadedTitle: 'This part could not be loaded',
  unloadedText: 'Check your connection and reload the page. There may also be a new version of Earshot.',
  reload: 'Reload',
  tryAgain: 'Try again',
  partFailed: 'This part could not be displayed',
  pageNotFound: 'Page not found',
  pageNotFoundText: 'There is nothing at this address.',
  returnHome: 'Return Home',
  skipToContent: 'Skip to content',
  notifications: 'Notifications',
}

/** Shown when the server has a newer page than the one that is open. */
export const roomClosed = {
  title: (room: string | null) => (room === null ? 'This room was closed' : `“${room}” was closed`),
  text: 'The room was deleted. You can join or create another one.',
}

export const update = {
  title: 'A new version is available',
  reload: 'Reload',
  later: 'Later',
}

export const splash = { text: 'Loading your music experience...' }

export const topBar = {
  navigation: 'Main',
  home: 'Home',
  explore: 'Explore Rooms',
  profile: 'Profile',
  administration: 'Administration',
  createRoom: 'Create Room',
  signIn: 'Sign In',
  logout: 'Logout',
  openMenu: 'Open menu',
  closeMenu: 'Close menu',
  accountMenu: (name: string) => `Account of ${name}`,
  useLightMode: 'Switch to light mode',
  useDarkMode: 'Switch to dark mode',
}

export const authentication = {
  requiredWarning: 'Authentication required',
  requiredNotice: 'Authentication Required',
  joinNeedsLogin: 'Please log in to join a room',
  createNeedsLogin: 'Please log in to create a room',
  welcome: (name: string) => `Welcome, ${name}`,
  signedOut: 'You have been signed out successfully',
  signOutFailed: 'Error signing out',
  unreadableTitle: 'Your sign-in could not be checked',
  unreadableText: 'Check your internet connection, or try again.',
  sessionErrorTitle: 'Authentication Error',
  sessionErrorText:
    'There was a problem connecting to the authentication service. Some features may be limited.',
}

export const environment = {
  title: 'Environment',
  missing: 'Missing required settings',
  fallbacks: 'Fallback values in use',
  backendUrl: 'Backend URL',
  backendUrlText: (origin: string) => `There is no Earshot server at ${origin}.`,
  clientKey: 'Publishable (anonymous) key',
  clientKeyText: 'The server asks for the key of pages from other origins.',
  socketServer: 'Socket server URL',
  redirectUri: 'Spotify redirect URI',
  setup: 'Setup documentation',
  collapse: 'Collapse the environment notice',
  open: 'Open the environment notice',
}

/** Every visible string of the page. Those in docs/spec.md stand here to the letter. */
import { limits } from '@earshot/core/limits'
import type { Source } from '@earshot/core/protocol/entities'
import type { ErrorCode } from '@earshot/core/protocol/errors'
import type { SyncCause } from '@earshot/core/protocol/socket-events'

export const productName = 'Earshot'

export const sourceNames: Record<Source, string> = {
  library: 'Library',
  spotify: 'Spotify',
  youtube: 'YouTube',
}

/** What the page says of an error, where its screen has no wording of its own. */
export const errorTexts: Record<ErrorCode, string> = {
  unauthenticated: 'User not authenticated',
  origin_refused: 'This page may not use this server.',
  client_key_required: 'This page has no valid key for this server.',
  room_not_found: 'Room not found',
  track_not_found: 'This track is gone.',
  queue_entry_not_found: 'This track is no longer in the queue.',
  not_a_member: 'Join the room first.',
  not_owner: 'Only the owner of the room can do that.',
  password_required: 'This room asks for a password.',
  wrong_password: 'Wrong password. Try again.',
  no_track: 'There is no current track.',
  queue_full: 'The queue is full.',
  source_unavailable: 'This source is not available on this server.',
  invalid_input: 'The server did not understand that.',
  payload_too_large: 'That is too long.',
  unknown_event: 'The server does not know how to do that.',
  not_found: 'Not found.',
  rate_limited: 'That was too fast. Wait a moment and try again.',
  unavailable: 'The server is not available right now.',
  internal: 'Something went wrong on the server.',
}

export const common = {
  close: 'Close',
  loading: 'Loading',
  unknownUser: 'Unknown',
  unexpectedTitle: 'Something went wrong',
  unexpectedText: 'This page could not be shown. Reload it to try again.',
  reload: 'Reload',
  pageNotFound: 'Page not found',
  pageNotFoundText: 'There is nothing at this address.',
  returnHome: 'Return Home',
  skipToContent: 'Skip to content',
  notifications: 'Notifications',
}

export const splash = { text: 'Loading your music experience...' }

export const topBar = {
  navigation: 'Main',
  home: 'Home',
  createRoom: 'Create Room',
  signIn: 'Sign In',
  logout: 'Logout',
  openMenu: 'Open menu',
  closeMenu: 'Close menu',
  accountMenu: (name: string) => `Account of ${name}`,
  useLightMode: 'Switch to light mode',
  useDarkMode: 'Switch to dark mode',
}

export const home = {
  title: 'Available Rooms',
  heroTitle: ['One room.', 'One song.', 'The same second.'],
  heroText:
    'Open a room, share the link, press play. Everybody in it hears the same thing at the same moment.',
  createRoom: 'Create Room',
  searchRooms: 'Search rooms...',
  searchLabel: 'Search rooms',
  clearSearch: 'Clear search',
  publicRoom: 'Public room',
  privateRoom: 'Private room',
  listeners: (count: number) => (count === 1 ? '1 listener' : `${count} listeners`),
  joinRoom: 'Join Room',
  joinRoomNamed: (name: string) => `Join Room: ${name}`,
  nothingPlaying: 'Nothing playing yet',
  hiddenTrack: 'Private listening',
  paused: 'Paused',
  playing: 'Playing now',
  empty: 'No rooms available',
  emptyText: 'Create a new room to get started',
  noMatch: (query: string) => `No room is called “${query}”`,
  noMatchText: 'Try another name, or create the room yourself.',
  errorTitle: 'Error loading rooms',
  errorToast: 'Could not load the available rooms. Please try again.',
  errorText: 'Failed to load rooms. Please try again later.',
  refresh: 'Refresh',
}

export const authentication = {
  requiredWarning: 'Authentication required',
  requiredNotice: 'Authentication Required',
  joinNeedsLogin: 'Please log in to join a room',
  createNeedsLogin: 'Please log in to create a room',
  welcome: (name: string) => `Welcome, ${name}`,
  signedOut: 'You have been signed out successfully',
  signOutFailed: 'Error signing out',
  sessionErrorTitle: 'Authentication Error',
  sessionErrorText:
    'There was a problem connecting to the authentication service. Some features may be limited.',
}

export const login = {
  title: 'Sign in',
  heroTitle: 'Music is better together',
  heroText: 'Bring your own music services along, or start with the library of this server.',
  connect: { spotify: 'Connect Spotify', youtube: 'Connect YouTube' },
  connectUnavailable: {
    spotify: 'Connecting Spotify is not available on this server yet.',
    youtube: 'Connecting YouTube is not available on this server yet.',
  },
  cardTitle: 'Join the community!',
  cardText: 'You need an account to open rooms and to listen along.',
  signIn: 'Sign In',
  signUp: 'Sign Up',
  signingIn: 'Signing in',
  signingUp: 'Signing up',
  email: 'Email',
  password: 'Password',
  passwordHint: `At least ${limits.passwordMinLength} characters`,
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  or: 'or',
  google: 'Google',
  googleNotice: 'This feature is not implemented yet',
  signInFailed: 'Failed to sign in',
  signUpFailed: 'Failed to sign up',
  loginFailedTitle: 'Login failed',
  loginFailedText: 'An error occurred during login',
  registrationFailedTitle: 'Registration failed',
  registrationFailedText: 'An error occurred during registration',
  loginSuccess: 'Login successful',
  registrationSuccess: 'Registration successful',
  registrationSuccessText: 'Please check your email to confirm your account',
}

export const createRoom = {
  title: 'Create a New Room',
  text: 'Give it a name, send the link, and listen together.',
  name: 'Room Name',
  namePlaceholder: 'My Awesome Music Room',
  privacy: 'Room Privacy',
  public: 'Public',
  publicText: 'Anyone can join',
  private: 'Private',
  privateText: 'Password protected',
  password: 'Room Password',
  passwordHint: 'Share this password with people you want to invite',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  source: 'Preferred Music Source',
  sourceHint: 'You can still use both sources, this just sets the default',
  sourceUnavailable: 'Not available on this server',
  submit: 'Create Room',
  submitting: 'Creating Room',
  note: 'As the creator you are responsible for the content that is shared in this room.',
  nameRequiredTitle: 'Room name required',
  nameRequiredText: 'Please enter a name for your room',
  passwordRequiredTitle: 'Password required',
  passwordRequiredText: 'Private rooms require a password',
  failedTitle: 'Error',
  failedText: 'Failed to create room. Please try again.',
}

export const room = {
  title: 'Room',
  loading: 'Loading room...',
  notFoundTitle: 'Room not found',
  notFoundText: "The room you're looking for doesn't exist or you don't have permission to join.",
  passwordTitle: 'Do you have its password?',
  password: 'Room Password',
  joinWithPassword: 'Join Room',
  returnHome: 'Return Home',
  connectingTitle: 'Loading room...',
  connectingText: 'Connecting to room server...',
  connectingHint: 'If this takes long, check your internet connection or try again.',
  retryConnection: 'Retry Connection',
  reconnectingNotice: 'Reconnecting',
  joinFailedTitle: 'Error joining room',
  joinFailedText: 'Could not join the room. Please try again.',
  memberCount: (count: number) => (count === 1 ? '1 member' : `${count} members`),
  owner: 'Owner',
  sideColumn: 'Queue and music',
  ownerIsYou: 'You',
  offline: 'You are offline. The music goes on as far as it was loaded.',
  reconnecting: 'Connection lost. Reconnecting...',
  connectionDisabled: 'The room server cannot be reached.',
  commandFailedTitle: 'Error',
  copyLink: 'Copy the link to this room',
  linkCopied: 'Link copied',
  linkCopiedText: 'Send it to whoever should listen along.',
}

export const nowPlaying = {
  title: 'Now Playing',
  emptyTitle: 'No track playing',
  emptyText: 'Add songs to the queue to start listening',
  art: (title: string) => `Cover of ${title}`,
  unknownTime: '--:--',
  position: 'Position',
  positionText: (elapsed: string, duration: string) => `${elapsed} of ${duration}`,
  play: 'Play',
  pause: 'Pause',
  next: 'Next track',
  previous: 'Previous: back to the start',
  mute: 'Mute',
  unmute: 'Unmute',
  volume: 'Volume',
  volumeText: (percent: number) => `${percent} percent`,
  sync: 'Sync',
  syncHint: "Sync playback (Press 's' key)",
  syncing: 'Syncing',
  syncingText: 'Aligning your sound with the room',
  ownerControls: (name: string) => `${name} controls the playback`,
  cueing: 'Getting everybody ready...',
  tapToListen: 'Tap to listen',
  tapToListenText: 'Your browser waits for a tap before it plays sound.',
  announce: (title: string, artist: string) => `Now playing: ${title} by ${artist}`,
  announceNothing: 'Nothing is playing',
  enlarge: 'Show the cover large',
  miniPlayer: 'Mini player',
}

export const syncTexts: Record<SyncCause, string> = {
  in_sync: 'In sync',
  correcting: 'Correcting',
  buffering: 'Buffering',
  ad: 'Waiting for an ad',
  hidden: 'In the background',
  blocked: 'Sound is blocked',
  no_clock: 'Setting the clock',
  paused: 'Paused',
}

export const syncBadge = {
  withError: (text: string, errorMs: number) => `${text} · ${errorMs} ms`,
  label: 'Your sync',
}

export const members = {
  title: 'Room Members',
  online: (count: number) => `${count} online`,
  none: 'No members online',
  owner: 'Owner',
  you: 'You',
  more: (count: number) => `and ${count} more`,
}

export const queue = {
  title: 'Queue',
  empty: 'Queue is empty',
  emptyText: 'Add a track from Find Music and it will line up here.',
  count: (count: number) => (count === 1 ? '1 track' : `${count} tracks`),
  remove: (title: string) => `Remove ${title} from the queue`,
  addedBy: (name: string) => `added by ${name}`,
  addedByYou: 'added by you',
  adding: 'Adding...',
  addedTitle: 'Track Added',
  addedText: (title: string) => `"${title}" added to queue`,
  addFailedTitle: 'Error',
  addFailedText: 'Could not add track to queue.',
  removeFailedTitle: 'Error',
  removeFailedText: 'Could not remove the track from the queue.',
}

export const findMusic = {
  title: 'Find Music',
  source: 'Source',
  placeholder: 'Search for music...',
  searchLabel: 'Search for music',
  search: 'Search',
  hint: (source: string) => `Searching ${source} - Press Enter to search`,
  results: 'Results - Click + to add to queue',
  browse: 'From the library - Click + to add to queue',
  noResults: 'No results found',
  noResultsText: 'Check the spelling, or try the artist instead of the title.',
  emptyLibrary: 'The library has no music yet',
  emptyLibraryText: 'Music that is put into the music folder of this server shows up here.',
  add: (title: string) => `Add ${title} to the queue`,
  more: 'Show more',
  failedTitle: 'Search Failed',
  failedText: 'Could not search for tracks. Please try again.',
  failedInList: 'The search did not go through',
  retry: 'Try again',
  missing: (sources: string[]) => `${sources.join(' and ')}: not set up on this server`,
  searchFirst: (source: string) => `Search ${source} for a title or an artist.`,
  unavailable: 'Not available on this server',
}

export const chat = {
  title: 'Chat',
  messages: 'Messages',
  placeholder: 'Say something...',
  inputLabel: 'Message',
  send: 'Send',
  empty: 'No messages yet',
  emptyText: 'Say hello: everybody in the room reads it.',
  loadingOlder: 'Loading older messages...',
  newMessages: 'New messages',
  failedTitle: 'Error',
  failedText: 'Could not send the message.',
  olderFailedText: 'Could not load older messages.',
}

export const roomTabs = {
  label: 'Room',
  queue: 'Queue',
  findMusic: 'Find music',
  chat: 'Chat',
  members: 'Members',
}

export const keyboard = {
  title: 'Keyboard',
  open: 'Keyboard shortcuts',
  keys: [
    { key: 's', does: 'Sync your sound with the room' },
    { key: 'Space', does: 'Play or pause (owner)' },
    { key: 'm', does: 'Mute or unmute' },
    { key: '/', does: 'Search for music' },
    { key: '↑ ↓', does: 'Move through a list' },
    { key: '?', does: 'This list' },
  ],
}

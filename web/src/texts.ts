/** Every visible text of the page. Texts quoted in docs/spec.md must match it to the letter. */
import type { FindingCode, Severity } from '@earshot/core/diagnosis/findings'
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

/** The text for an error code, if the screen has none of its own. */
export const errorTexts: Record<ErrorCode, string> = {
  unauthenticated: 'User not authenticated',
  origin_refused:
    'This server does not accept this address. Its operator can allow it with the setting PUBLIC_URL.',
  client_key_required: 'This app has no valid key for this server.',
  room_not_found: 'Room not found',
  track_not_found: 'This track is no longer available.',
  queue_entry_not_found: 'This track is no longer in the queue.',
  not_a_member: 'Join the room first.',
  not_owner: 'Only the owner of the room can do this.',
  password_required: 'This room requires a password.',
  wrong_password: 'Wrong password. Try again.',
  no_track: 'No track is playing.',
  queue_full: 'The queue is full.',
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
  reload: 'Reload',
  tryAgain: 'Try again',
  partFailed: 'This part could not be displayed',
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
  explore: 'Explore Rooms',
  profile: 'Profile',
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
  heroText: 'Open a room, share the link, press play. Everyone hears the same music at the same moment.',
  createRoom: 'Create Room',
  myProfile: 'My Profile',
  searchRooms: 'Search rooms...',
  searchLabel: 'Search rooms',
  clearSearch: 'Clear search',
  publicRoom: 'Public room',
  privateRoom: 'Private room',
  listeners: (count: number) => (count === 1 ? '1 listener' : `${count} listeners`),
  joinRoom: 'Join Room',
  joinRoomNamed: (name: string) => `Join Room: ${name}`,
  nothingPlaying: 'Nothing playing yet',
  hiddenTrack: 'Listening privately',
  paused: 'Paused',
  playing: 'Playing now',
  empty: 'No rooms available',
  emptyText: 'Create a new room to get started',
  noMatch: (query: string) => `No rooms match “${query}”`,
  noMatchText: 'Try another name, or create a new room.',
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
  unreadableTitle: 'Your sign-in could not be checked',
  unreadableText: 'Check your internet connection, or try again.',
  sessionErrorTitle: 'Authentication Error',
  sessionErrorText:
    'There was a problem connecting to the authentication service. Some features may be limited.',
}

export const login = {
  title: 'Sign in',
  heroTitle: 'Music is better together',
  heroText: 'Connect your own music services, or start with the music on this server.',
  connect: { spotify: 'Connect Spotify', youtube: 'Connect YouTube' },
  cardTitle: 'Join the community!',
  cardText: 'You need an account to create and join rooms.',
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
  text: 'Name it, share the link, and listen together.',
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
  note: 'As the creator, you are responsible for the content shared in this room.',
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
  passwordTitle: 'Do you have the password?',
  password: 'Room Password',
  joinWithPassword: 'Join Room',
  returnHome: 'Return Home',
  connectingTitle: 'Loading room...',
  connectingText: 'Connecting to room server...',
  connectingHint: 'If this takes a while, check your internet connection or try again.',
  retryConnection: 'Retry Connection',
  reconnectingNotice: 'Reconnecting',
  joinFailedTitle: 'Error joining room',
  joinFailedText: 'Could not join the room. Please try again.',
  screenFailedTitle: 'The room could not be displayed',
  screenFailedText: 'The music continues.',
  memberCount: (count: number) => (count === 1 ? '1 member' : `${count} members`),
  owner: 'Owner',
  sideColumn: 'Queue and music',
  ownerIsYou: 'You',
  offline: 'You are offline. The music continues as long as it is buffered.',
  reconnecting: 'Connection lost. Reconnecting...',
  connectionDisabled: 'The room server cannot be reached.',
  commandFailedTitle: 'Error',
}

export const invite = {
  open: 'Invite',
  title: 'Invite people',
  link: 'Link to this room',
  copy: 'Copy link',
  copied: 'Link copied',
  copiedText: 'Share it with the people you want to invite.',
  share: 'Share',
  publicText: 'Everyone with an account who has this link can join.',
  ownerText: (date: string) => `Anyone with this link can join without the password until ${date}.`,
  memberText:
    'Anyone who opens this link is asked for the password. The owner can create a link that needs none.',
  createFailed: 'Could not create an invite link. This link asks for the password.',
  revoke: 'End all links',
  revoked: 'Earlier links no longer work',
  revokedText: 'People who have joined already stay admitted.',
  revokeFailed: 'Could not end the links. Please try again.',
}

/** What follows the title of a skipped track that still exists. */
const skipReasons: Readonly<Record<string, string>> = {
  not_embeddable: 'plays only on YouTube, so it was skipped',
  age_restricted: 'is restricted by age, so it was skipped',
  live: 'is a live stream, so it was skipped',
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
  cueing: 'Getting everyone ready...',
  tapToListen: 'Tap to listen',
  tapToListenText: 'Your browser needs a tap before it can play sound.',
  open: 'Open',
  skip: 'Skip',
  pauseHere: 'Pause here',
  playHere: 'Play here',
  silentHere: {
    paused: 'Paused on this device',
    in_other_tab: 'Playing in another tab',
    on_other_device: 'Spotify is playing on another device',
  },
  silentHereText: 'The room is not affected. Jump back in at any time.',
  unavailable: ({ title, count, reason = 'removed' }: { title: string; count: number; reason?: string }) => {
    const fact = skipReasons[reason]
    if (count === 1) return `“${title}” ${fact ?? 'is no longer available'}`
    const others = `“${title}” and ${count - 1} more ${count === 2 ? 'track' : 'tracks'}`
    return fact
      ? `${others} cannot be played here`
      : `${others} ${count === 2 ? 'is' : 'are'} no longer available`
  },
  announce: (title: string, artist: string) => `Now playing: ${title} by ${artist}`,
  announceNothing: 'Nothing is playing',
  enlarge: 'Show cover full screen',
  miniPlayer: 'Mini player',
}

export const videoPlayer = {
  region: 'Video',
  loading: 'Loading YouTube player...',
  errorTitle: 'YouTube Player Error',
  errorText: (code: number) => `Error code ${code}. Try refreshing the page.`,
  playFailed: (code: number) => `Error playing video (code: ${code})`,
  gaveUp: 'Failed to load video after multiple attempts',
  loadFailed: (reason: string) => `Failed to load video: ${reason}`,
  missingReferrer:
    'YouTube did not receive the address of this site. A browser extension, or a proxy in front of this server, removes the Referer header.',
}

export const syncTexts: Record<SyncCause, string> = {
  in_sync: 'In sync',
  correcting: 'Correcting',
  buffering: 'Buffering',
  ad: 'Waiting for an ad',
  hidden: 'In the background',
  blocked: 'Sound is blocked',
  unplayable: 'Cannot play this format',
  no_clock: 'Clock settling',
  paused: 'Paused',
}

export const syncBadge = {
  within: (text: string, ms: number) => `${text} · within ${ms} ms`,
  label: 'Your sync',
}

export const syncPanel = {
  title: 'Sync',
  own: 'You',
  half: 'Half of the room',
  nearlyAll: '95% of the room',
  within: (ms: number) => `within ${ms < 10 ? (Math.ceil(ms * 10) / 10).toFixed(1) : Math.ceil(ms)} ms`,
  unknown: 'not available yet',
  unmeasurable: (ms: number) =>
    `Up to ${Math.ceil(ms)} ms of this cannot be measured: half the difference between your connection’s two directions. If you hear an echo, use the nudge.`,
  roomWithin: (ms: number) => `in sync within ${Math.max(1, Math.ceil(ms))} ms`,
}

export const nudge = {
  label: 'Nudge',
  hint: 'Do you hear an echo of the other listeners? Shift your sound later or earlier until it is gone. This device remembers the setting.',
  earlier: (stepMs: number) => `${stepMs} ms earlier`,
  later: (stepMs: number) => `${stepMs} ms later`,
  none: '0 ms',
  value: (ms: number) => `${Math.abs(ms)} ms ${ms > 0 ? 'later' : 'earlier'}`,
  reset: 'Reset',
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
  emptyText: 'Add a track from Find Music to see it here.',
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
  emptyLibraryText: 'Music added to the music folder of this server appears here.',
  add: (title: string) => `Add ${title} to the queue`,
  more: 'Show more',
  failedTitle: 'Search Failed',
  failedText: 'Could not search for tracks. Please try again.',
  failedInList: 'The search failed',
  retry: 'Try again',
  missing: (sources: string[]) => `${sources.join(' and ')}: not set up on this server`,
  searchFirst: (source: string) => `Search ${source} for a title or an artist, or paste a link.`,
  unavailable: 'Not available on this server',
  linksOnlyPlaceholder: (source: string) => `Paste a ${source} link`,
  linksOnly: (source: string) => `Paste a ${source} link`,
  linksOnlyText: (source: string) =>
    `This server cannot search ${source}, but links to videos and playlists work.`,
  notConnected: (source: string) => `Connect ${source} on your profile to search it`,
  mustReconnect: (source: string) => `Your connection to ${source} has ended`,
  mustReconnectText: (source: string) => `Connect ${source} on your profile again to search it.`,
  paused: (source: string) => `No more ${source} searches for now`,
  pausedUntil: (time: string) => `The limit is reached. Search works again from ${time}; links still work.`,
  pausedText: 'The limit is reached. Try again later; links still work.',
  searchesLeft: (left: number, limit: number) => `${left} of ${limit} searches left today`,
  linkResult: 'From your link - Click + to add to queue',
  linkFailed: 'This link could not be opened',
  restricted: {
    not_embeddable: 'Not playable here: its owner does not allow it on other sites',
    age_restricted: 'Not playable here: restricted by age',
    live: 'Not playable here: a live stream',
    removed: 'Not playable here: no longer available',
  },
  restrictedOther: 'Not playable here',
  playlists: 'Your Spotify playlists',
  noPlaylists: 'You have no playlists on Spotify',
  noPlaylistsText: 'Search Spotify for a title or an artist, or paste a link.',
  playlistsFailed: 'Your playlists could not be loaded',
  preview: (name: string) => `Choose tracks from ${name}`,
}

const inWords = (source: Source): string => (source === 'library' ? 'the library' : sourceNames[source])

/** Tracks that this listener, or some members, cannot play. */
export const playability = {
  count: (count: number) => `${count} cannot play this`,
  toProfile: 'Go to my profile',
  premium: 'About Premium',
  tryAgain: 'Try again',
  watch: 'Watch on YouTube',
  reasons: {
    not_connected: {
      short: 'You cannot play this: Spotify is not connected',
      title: 'Connect Spotify to hear this track',
      text: 'It plays from your own Spotify Premium account, which you connect on your profile.',
    },
    no_premium: {
      short: 'You cannot play this: it needs Spotify Premium',
      title: 'This track needs Spotify Premium',
      text: 'Spotify plays in other apps for Premium members only.',
    },
    no_drm: {
      short: 'You cannot play this in this browser',
      title: 'This browser cannot play Spotify',
      text: 'It does not support protected audio. Try a current Chrome, Edge, Firefox or Safari.',
    },
    format: {
      short: 'You cannot play this in this browser',
      title: 'This browser cannot play this format',
      text: 'The others in the room may still hear it.',
    },
    not_embeddable: {
      short: 'You cannot play this here, only on YouTube',
      title: 'This video plays only on YouTube',
      text: 'Its owner does not allow it on other sites.',
    },
    blocked: {
      short: 'You cannot play this: it is blocked for you',
      title: 'This track is blocked for you',
      text: 'It is restricted by region or age. The others in the room may still hear it.',
    },
    live: {
      short: 'You cannot play this here: it is a live stream',
      title: 'This is a live stream',
      text: 'A room cannot play live streams together. You can watch it on YouTube.',
    },
    removed: {
      short: 'This track is no longer available',
      title: 'This track is no longer available',
      text: 'Its provider has removed it.',
    },
  },
  otherReason: {
    short: 'You cannot play this',
    title: 'This track cannot be played here',
    text: 'The others in the room may still hear it.',
  },
  playInstead: (source: Source, percent: number) =>
    `Play it from ${inWords(source)} instead (${percent} % sure)`,
  hearing: (source: Source) => `You hear this from ${inWords(source)}`,
  hearingText: (title: string, artist: string) => `${title} by ${artist}. Only you hear it from there.`,
  stopInstead: 'Back to the original',
}

/** The preview of a playlist, and its import into the queue. */
export const playlistImport = {
  chooseTracks: 'Choose tracks',
  tracks: (count: number) => (count === 1 ? '1 track' : `${count} tracks`),
  by: (owner: string) => `by ${owner}`,
  list: 'Tracks of the playlist',
  failed: 'The playlist could not be loaded',
  empty: 'This playlist has no tracks that can be added',
  loadingRest: (loaded: number, total: number | null) =>
    total === null ? `Loading: ${loaded} tracks so far...` : `Loading: ${loaded} of ${total} tracks...`,
  restFailed: 'Some tracks could not be loaded.',
  loadRest: 'Load the rest',
  cutOff: (count: number) => `Only the first ${count} tracks are shown: a queue holds no more.`,
  skipped: (count: number) => (count === 1 ? '1 entry cannot be added' : `${count} entries cannot be added`),
  selectAll: 'Select all',
  selectNone: 'Select none',
  selected: (count: number) => (count === 1 ? '1 selected' : `${count} selected`),
  showMore: (count: number) => (count === 1 ? 'Show 1 more track' : `Show ${count} more tracks`),
  add: (count: number) => (count === 1 ? 'Add 1 track' : `Add ${count} tracks`),
  adding: (done: number, total: number) => `Adding ${done} of ${total}...`,
  progress: 'Tracks added',
  cancel: 'Cancel',
  cancelling: 'Stopping...',
  done: (count: number) => (count === 1 ? '1 track is in the queue' : `${count} tracks are in the queue`),
  stopped: (waiting: number) =>
    waiting === 1 ? '1 track was not added yet' : `${waiting} tracks were not added yet`,
  refused: (count: number) =>
    count === 1 ? '1 track could not be added' : `${count} tracks could not be added`,
  retry: (count: number) => (count === 1 ? 'Try 1 track again' : `Try ${count} tracks again`),
  resume: (count: number) => (count === 1 ? 'Add the last track' : `Add the other ${count}`),
  outcomes: {
    added: 'Added',
    already_added: 'Already in the queue',
    not_found: 'Not found',
    not_playable: 'Not playable in rooms',
    queue_full: 'The queue is full',
  },
  waiting: 'Waiting',
  otherOutcome: 'Not added',
}

export const chat = {
  title: 'Chat',
  messages: 'Messages',
  placeholder: 'Say something...',
  inputLabel: 'Message',
  send: 'Send',
  empty: 'No messages yet',
  emptyText: 'Say hello to everyone in the room.',
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
    { key: '?', does: 'Show this list' },
  ],
}

export const debugTools = {
  show: 'Show Debug Tools',
  hide: 'Hide Debug Tools',
  region: 'Debug tools',
  loadFailed: 'The debug tools could not be loaded.',
  retry: 'Try again',
}

export const tester = {
  title: 'Connection tester',
  health: { connected: 'Connected', high_latency: 'High Latency', disconnected: 'Disconnected' },
  server: 'Server',
  noServer: 'None',
  latency: 'Latency',
  latencyOf: (ms: number) => `${ms} ms`,
  unknown: '–',
  transport: 'Transport',
  transports: { websocket: 'WebSocket', polling: 'HTTP polling' },
  status: 'Status',
  statuses: {
    disconnected: 'Waiting to try again',
    connecting: 'Connecting...',
    connected: 'Connected',
    disabled: 'Disabled',
  },
  disabled: (reason: string) =>
    `Disabled after ${limits.reconnectAttempts} failed attempts at every server (${reason}). Retrying every ${limits.disabledRetryMs / 1_000} s; press Reconnect to try now.`,
  debug: 'Debug',
  reconnect: 'Reconnect',
  sent: 'Sent',
  received: 'Received',
  latest: (count: number) => `last ${count}`,
  nothingSent: 'Nothing sent yet',
  nothingReceived: 'Nothing received yet',
  waiting: 'waiting',
  acknowledged: (ms: number) => `acknowledged in ${ms} ms`,
  failedAfter: (code: string, ms: number) => `${code} after ${ms} ms`,

  tests: 'Tests',
  tabs: { basic: 'Basic Tests', advanced: 'Advanced Tests', cors: 'CORS Tests', servers: 'Server Tests' },
  notConnected: 'Not connected',
  emptyMessage: 'Empty message',
  timeout: 'Timeout - no response from server',
  connectionLost: 'The connection was lost before the answer arrived.',
  socketNotAvailable: 'Socket not available',
  noAcknowledgment: 'No acknowledgment',
  serverError: (code: ErrorCode) => `${code}: ${errorTexts[code]}`,

  ping: 'Ping',
  pingText: 'Pings the server and measures the round trip.',
  sendPing: 'Send ping',
  pingSuccessful: 'Ping successful',
  respondedIn: (ms: number) => `Server responded in ${ms}ms`,
  pingFailed: 'Ping failed',
  echo: 'Echo',
  echoText: 'Sends a message and checks that the server returns it unchanged.',
  sendEcho: 'Send echo',
  echoSuccessful: 'Echo successful',
  echoedIn: (ms: number) => `Returned unchanged in ${ms}ms`,
  echoFailed: 'Echo failed',
  echoDiffers: 'The server returned something else.',
  sync: 'Sync request',
  syncText: 'Requests the current state of a room that you have joined.',
  roomId: 'Room ID',
  requestSync: 'Request sync',
  syncSuccessful: 'Sync request answered',
  syncedIn: (room: string, ms: number) => `“${room}” came back in ${ms}ms`,
  syncFailed: 'Sync request failed',
  noRoomId: 'Enter the ID of a room',

  sendText:
    'Sends one message unchanged and shows the answer. The server rejects unknown messages and actions you are not allowed to take; nothing in the room changes.',
  eventType: 'Event type',
  message: 'Message',
  messagePlaceholder: 'Hello, server',
  send: 'Send message',
  messageAnswered: 'Message acknowledged',
  answeredIn: (event: string, ms: number) => `${event} was answered in ${ms}ms`,
  messageRefused: 'Message rejected',

  healthCheck: 'HTTP health check',
  healthCheckText: 'Checks the server over HTTP instead of the socket.',
  checkHealth: 'Check health',
  healthy: 'Server is healthy',
  unhealthy: 'Server is not healthy',
  healthAnswered: (status: number, ms: number) => `HTTP ${status} in ${ms}ms`,
  healthFailed: 'Health check failed',
  unreachable: (host: string) => `${host} could not be reached over HTTP.`,
  corsCheck: 'CORS header check',
  corsCheckText: 'Checks with an OPTIONS request whether pages of other origins may read the answers.',
  checkCors: 'Check CORS',
  corsEnabled: 'CORS is enabled',
  corsNotEnabled: 'CORS is not enabled',
  corsFailed: 'CORS check failed',
  corsHeader: (value: string) => `access-control-allow-origin: ${value}`,
  corsNoHeader: 'The answer has no header access-control-allow-origin.',
  corsReadable: (host: string) => `The browser let this page read an answer of ${host}.`,
  corsBlocked: (host: string) => `${host} answers, but the browser does not let this page read the answer.`,
  sameOrigin:
    'This page and the server have the same origin, so the browser does not enforce CORS here. The check reads the header that other origins would see.',
  otherOrigin:
    'The server has another origin than this page, so the browser hides the header. A readable answer proves that CORS works.',

  serversText: 'Checks the health of every configured server and measures the latency.',
  servers: 'Servers',
  noServers: 'No server is configured.',
  inUse: 'In use',
  best: 'Best',
  noAnswer: 'No answer',
  notMeasured: 'Not measured',
  findBest: 'Find best server',
  foundBest: 'Found best server',
  noneAnswered: 'No server answered',
  answersIn: (host: string, ms: number) => `${host} answers in ${ms} ms`,
  switchToBest: 'Switch to best server',
  switchText: 'Connects to the server with the lowest latency. The room keeps playing.',
  switchedToBest: 'Switched to best server',
  switchFailed: 'Could not switch',
  nowUsing: (host: string) => `Now connected to ${host}`,
  didNotConnect: (host: string) => `Could not connect to ${host}.`,
}

/** The text of each finding: the problem and its remedy. */
const findingTexts: Record<FindingCode, { title: string; text: string }> = {
  offline: {
    title: 'This device is offline',
    text: 'Check your Wi-Fi or cable. The music continues as long as it is buffered.',
  },
  server_unreachable: {
    title: 'The server cannot be reached',
    text: 'Check your internet connection. If other sites work, the server may be down: try again in a minute.',
  },
  server_unhealthy: {
    title: 'The server is not healthy',
    text: 'It answers, but reports a problem. Contact its administrator.',
  },
  realtime_refused: {
    title: 'The room connection cannot be established',
    text: 'The server itself answers. Press Reconnect. If that does not help, check for a firewall, proxy or browser extension that blocks it.',
  },
  http_unreachable: {
    title: 'The server answers in the room only',
    text: 'HTTP requests get no answer, so search and playback may fail. Reload the page. If that does not help, check for a proxy or browser extension that blocks them.',
  },
  long_polling: {
    title: 'Long polling instead of WebSocket',
    text: 'The connection works, but with a higher delay. A proxy or firewall may block WebSocket connections: allow them, or try another network.',
  },
  high_latency: {
    title: 'The connection is slow',
    text: `The server takes over ${limits.poorLatencyMs} ms to answer. Move closer to the router, stop large downloads or disconnect the VPN.`,
  },
  cookies_off: {
    title: 'Cookies are turned off',
    text: 'You cannot stay signed in without cookies. Allow them for this site in the browser settings.',
  },
  session_missing: {
    title: 'You are no longer signed in',
    text: 'Sign in again to return to the room.',
  },
  page_outdated: {
    title: 'This page is out of date',
    text: 'The server has a newer version. Reload the page.',
  },
  clock_not_measured: {
    title: 'The clock is not synchronised yet',
    text: 'Too few clock probes were answered so far. Wait a few seconds and run the diagnosis again.',
  },
  clock_uncertain: {
    title: 'The clock is only roughly synchronised',
    text: 'Your sound may be off by tens of milliseconds. Use a faster network, or correct it by ear with the nudge.',
  },
  probes_lost: {
    title: 'Some clock probes got no answer',
    text: 'The network loses messages. Move closer to the router, or use a cable.',
  },
  probes_jittery: {
    title: 'The network delay varies a lot',
    text: 'This makes the clock harder to synchronise. Use a cable, or reduce other traffic.',
  },
  device_clock_off: {
    title: 'The clock of this device is off',
    text: 'This does not matter: the room uses the server clock.',
  },
  sound_blocked: {
    title: 'The browser blocks the sound',
    text: 'Press Tap to listen. To allow sound permanently, use the site settings of the browser.',
  },
  muted: {
    title: 'The sound is turned off here',
    text: 'Press m or move the volume slider to hear the room.',
  },
  insecure_context: {
    title: 'The page is not served securely',
    text: 'Over plain HTTP the browser offers no audio decoder. The sound still gets within a few ms after some seconds; for better sync, open the page over HTTPS or on localhost.',
  },
  no_decoder: {
    title: 'This browser has no audio decoder for pages',
    text: 'The fallback player gets within a few ms after some seconds. For better sync, use a current browser.',
  },
  track_undecodable: {
    title: 'This browser cannot play the current track',
    text: 'Try another browser, or skip the track.',
  },
  track_failed: {
    title: 'The current track could not be loaded',
    text: 'Loading is retried every few seconds. If it keeps failing, skip the track and contact the administrator of the server.',
  },
  track_by_element: {
    title: 'The current track needs the fallback player',
    text: 'The browser cannot decode its format directly. The sound gets within a few ms after some seconds.',
  },
  output_latency_long: {
    title: 'Your sound device is slow',
    text: 'This is normal for wireless headphones and speakers, and is compensated. If you still hear an echo, use the nudge.',
  },
  output_latency_ignored: {
    title: 'Your sound device reports an implausible delay',
    text: `Delays over ${limits.plausibleOutputLatencyMs} ms are not compensated. Adjust the nudge by ear, or use a wired device.`,
  },
  tab_hidden: {
    title: 'This tab was in the background',
    text: 'Browsers slow down hidden tabs, which delays corrections. Keep the tab visible for the best sync.',
  },
  sync_error_large: {
    title: 'Your sound is out of sync',
    text: 'Press Sync. If the problem remains, close other programs, and use a cable for network and sound.',
  },
  sync_error_swinging: {
    title: 'Your sync is unsteady',
    text: 'The device or its network is busy at times. Close other tabs and programs.',
  },
  buffering_often: {
    title: 'The sound often pauses to buffer',
    text: 'The network is too slow for this track. Stop other downloads, or move closer to the router.',
  },
}

/** Formats with one decimal; avoids '-0.0'. */
const tenths = (value: number): string => value.toFixed(1).replace(/^-(?=0\.0$)/, '')

const diagnosisMs = (ms: number): string => `${Math.abs(ms) < 10 ? tenths(ms) : ms.toFixed(0)} ms`

export const diagnosis = {
  title: 'Diagnosis',
  text: 'Checks connection, clock and sound, and suggests what to do. No data is shared.',
  run: 'Run diagnosis',
  running: (steps: string[]) => `Checking ${steps.join(', ')}...`,
  steps: { server: 'the server', clock: 'the clock', sound: 'the sound', session: 'the session' },
  progress: 'Progress of the diagnosis',
  allGood: 'Everything looks good',
  allGoodText: 'Connection, clock and sound work as they should.',
  done: (count: number) =>
    count === 0
      ? 'Diagnosis finished: everything looks good'
      : `Diagnosis finished with ${count === 1 ? '1 finding' : `${count} findings`}`,
  findings: 'Findings',
  findingTexts,
  severities: { ok: 'Harmless', notice: 'Notice', problem: 'Problem' } satisfies Record<Severity, string>,
  facts: 'Facts',
  copy: 'Copy report',
  copied: 'Report copied',
  copiedText: 'It contains no names, passwords or keys.',
  copyByHand: 'The browser does not allow access to the clipboard here. Copy the report by hand.',
  report: 'Report',
  reportTitle: (time: string) => `${productName} diagnosis, ${time}`,
  room: 'Room',
  browser: 'Browser',
  finding: (severity: string, title: string, text: string) => `[${severity}] ${title}. ${text}`,
  ms: diagnosisMs,
  none: 'None',
  unknown: 'Unknown',
  server: 'Server',
  health: 'Server check',
  healthStates: {
    healthy: (latency: string) => `Healthy, answered in ${latency}`,
    unhealthy: (latency: string) => `Unhealthy, answered in ${latency}`,
    unreachable: () => 'No answer',
  },
  version: 'Server version',
  connection: 'Room connection',
  connectionStates: {
    connected: 'Connected',
    connecting: 'Connecting',
    disconnected: 'Disconnected',
    disabled: 'Disabled',
  },
  transports: { websocket: 'WebSocket', polling: 'Long polling' },
  latency: 'Latency',
  latencyText: (middle: string, fastest: string, slowest: string) => `${middle} (${fastest} to ${slowest})`,
  probes: 'Probes',
  probesText: (answered: number, sent: number) => `${answered} of ${sent} answered`,
  clock: 'Clock offset',
  clockText: (offset: string, uncertainty: string) => `${offset}, at most ${uncertainty} off`,
  clockMissing: 'Not measured yet',
  skew: 'Clock drift',
  skewText: (ppm: number) => `${tenths(ppm)} ppm`,
  deviceClock: 'Clock of this device',
  deviceClockText: (aheadMs: number) =>
    `${diagnosisMs(Math.abs(aheadMs))} ${aheadMs < 0 ? 'behind' : 'ahead of'} the server`,
  sync: 'Sync error',
  syncText: (p50: string, p95: string) => `half below ${p50}, 95% below ${p95}`,
  buffering: 'Waiting for data',
  bufferingText: (spells: number) => (spells === 1 ? 'once in 2 minutes' : `${spells} times in 2 minutes`),
  autoplay: 'Sound',
  autoplayBlocked: 'Blocked by the browser',
  autoplayMuted: 'Turned off here',
  autoplayAllowed: 'Allowed',
  player: 'Player',
  players: {
    library: 'Decoded and scheduled',
    element: 'Audio element',
    video: 'Video player',
    streaming: 'Streaming player',
  },
  playerError: 'Player error',
  output: 'Output',
  outputText: (state: string, sampleRate: number) => `${state}, ${sampleRate} Hz`,
  outputLatency: 'Output latency',
  trackFormat: 'Format of the track',
  formats: 'Formats',
  formatDecoded: (codec: string) => codec,
  formatPlayed: (codec: string) => `${codec} (audio element only)`,
  formatMissing: (codec: string) => `${codec} (not playable)`,
  session: 'Session',
  sessions: { signed_in: 'Signed in', signed_out: 'Signed out', unreadable: 'No answer' },
  cookies: 'Cookies',
  cookiesOn: 'On',
  cookiesOff: 'Off',
  page: 'Page',
  pageCurrent: 'Up to date',
  pageOutdated: 'Out of date',
  context: 'Served',
  contextSecure: 'Over HTTPS or localhost',
  contextInsecure: 'Over plain HTTP',
}

export const syncErrorChart = {
  title: 'Sync error, last 2 minutes',
  now: 'Now',
  p50: 'Median',
  p95: '95%',
  none: '–',
  ms: (errorMs: number) => `${tenths(errorMs)} ms`,
  start: '2 min ago',
  end: 'now',
  ahead: (ms: number) => `+${ms} ms`,
  behind: (ms: number) => `−${ms} ms`,
  zero: '0',
  description: (current: string, p50: string, p95: string) =>
    `Sync error over the last 2 minutes: now ${current}, median ${p50}, 95 percent of the time below ${p95}.`,
  empty: 'No data yet. The chart starts when the room plays.',
}

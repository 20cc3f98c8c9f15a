import { limits } from '@earshot/core/limits'
import type { Source } from '@earshot/core/protocol/entities'
import { sourceNames } from './texts.ts'

/** The texts of the pages around accounts. Apart from `texts.ts`, which the first load contains. */

const dateFormat = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', year: 'numeric' })
const timeFormat = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** The connection of accounts at the providers (8.1, 8.12). */
export const connecting = {
  signedOut: (source: Source) => `You must be logged in to connect to ${sourceNames[source]}`,
  failed: { spotify: 'Failed to connect Spotify', youtube: 'Failed to connect YouTube Music' },
  unknownError: 'An unknown error occurred',
  spotifyConnected: 'Spotify connected',
  youtubeConnected: 'YouTube Music Connected',
  youtubeConnectedText: 'Successfully connected to YouTube Data API',
}

/** The name that a sign-up may choose. */
export const signUpName = {
  label: 'Name',
  placeholder: 'The name that others see',
  hint: 'Optional. Without one, others see the part of your email before the @.',
}

/** A new password by mail. */
export const resetPassword = {
  forgot: 'Forgot password?',
  title: 'Set a new password',
  requestText: 'Enter the email address of your account. We will send you a link to set a new password.',
  send: 'Send Link',
  sending: 'Sending',
  sent: 'If there is an account with this address, we have sent a link.',
  sentText: 'The link works for an hour. If no email arrives, look in your spam folder.',
  sentWithoutMail: 'This server sends no email: ask whoever runs it for the link.',
  sendFailed: 'The link could not be sent. Try again in a moment.',
  text: 'Choose a new password for your account. You will be signed out everywhere.',
  newPassword: 'New Password',
  save: 'Set Password',
  saving: 'Saving',
  saved: 'Your password has been changed',
  savedText: 'Sign in with your new password.',
  saveFailed: 'The password could not be changed. Try again in a moment.',
  unusable: 'This link has expired or was already used.',
  unusableText: 'We can send you a new one.',
  backToSignIn: 'Back to Sign In',
}

export const profile = {
  title: 'Profile',
  needsLogin: 'Please log in to view your profile',
  loadFailedTitle: 'Your profile could not be loaded',
  loadFailedText: 'Check your internet connection, or try again.',
  account: 'Your Account',
  displayName: 'Display Name',
  edit: 'Edit',
  editName: 'Edit your display name',
  save: 'Save',
  saving: 'Saving',
  cancel: 'Cancel',
  email: 'Email',
  logOut: 'Log Out',
  nameRequired: 'Display name is required',
  nameTooLong: `A display name has at most ${limits.displayNameMaxLength} characters`,
  updated: 'Profile updated',
  updateFailed: 'Error updating profile',
}

/** The password, the sessions and the end of an account. */
export const security = {
  title: 'Security',
  changePassword: 'Change Password',
  changeText: 'You stay signed in here, and will be signed out everywhere else.',
  currentPassword: 'Current Password',
  newPassword: 'New Password',
  save: 'Save Password',
  saving: 'Saving',
  changed: 'Your password has been changed',
  changeFailed: 'The password could not be changed. Try again in a moment.',
  wrongPassword: 'This is not your current password.',
  noPassword: 'This account has no password yet. Set one with “Forgot password?” on the login page.',
  signOutElsewhere: 'Sign Out Everywhere Else',
  signedOutElsewhere: 'You have been signed out everywhere else',
  signOutFailed: 'Could not sign you out everywhere else',
  delete: 'Delete Account',
  deleteTitle: 'Delete your account?',
  deleteGone:
    'Your profile, your connected services, your listening time and your rooms with their queues and chats will be deleted for good. Members of your rooms will have to leave.',
  deleteKept: 'Messages you wrote in rooms of others stay there, under the name “Unknown”.',
  deletePassword: 'Your Password',
  deleting: 'Deleting',
  deleted: 'Your account has been deleted',
  passwordRequired: 'Password is required',
}

export const stats = {
  title: 'Your Stats',
  roomsCreated: 'Rooms Created',
  listeningTime: 'Total Listening Time',
  favorite: 'Favorite Service',
  noFavorite: 'None yet',
  duration: (minutes: number) => `${Math.floor(minutes / 60)}h ${Math.floor(minutes % 60)}m`,
  loadFailed: 'Your stats could not be loaded',
}

export const integrations = {
  title: 'Music Integrations',
  connected: 'Connected',
  notConnected: 'Not Connected',
  connect: 'Connect',
  connecting: 'Connecting',
  reconnect: 'Reconnect',
  disconnect: 'Disconnect',
  disconnectFailed: (source: Source) => `Could not disconnect ${sourceNames[source]}`,
  disconnected: (source: Source) => `${sourceNames[source]} disconnected`,
  notSetUp: (source: Source) => `${sourceNames[source]} is not set up on this server.`,
  loadFailed: (source: Source) => `The state of ${sourceNames[source]} could not be loaded`,
}

export const spotify = {
  text: 'Connect your account to search Spotify, and to hear its tracks with Spotify Premium.',
  connectedAs: (name: string) => `Connected as ${name}`,
  connectedSince: (atMs: number) => `Since ${dateFormat.format(atMs)}`,
  expiresSoon: (atMs: number) =>
    `Spotify ends this connection on ${dateFormat.format(atMs)}, six months after you agreed to it. Reconnect to keep it.`,
  expiresSoonUnknown: 'Spotify ends this connection soon. Reconnect to keep it.',
  mustReconnect: 'Your connection to Spotify has ended. Reconnect to search Spotify and to hear its tracks.',
  errorTitle: 'Error',
}

export const youtube = {
  text: 'Videos play without an account. Searching needs a key of the YouTube Data API.',
  usesOwnKey: 'Searches use your own API key.',
  usesServerKey: 'Searches use the key of this server.',
  needsOwnKey: 'This server has no key of its own. Enter yours to search YouTube.',
  test: 'Test Connection',
  testing: 'Testing',
  key: 'Your own API key (optional)',
  keyRequired: 'Your own API key',
  keyHint: 'It is checked, stored encrypted, and never shown again.',
  keyMissing: 'Enter an API key: this server has none of its own.',
  showKey: 'Show key',
  hideKey: 'Hide key',
  failedTitle: 'Connection Failed',
  errorAlert: 'Connection Error:',
  verified: 'Verified with sample results:',
  open: 'Open',
  openVideo: (title: string) => `Open ${title} on YouTube in a new tab`,
  quota: 'Searches today',
  quotaText: (used: number, limit: number) => `${used} of ${limit}`,
  quotaReset: (atMs: number) => `Starts again at ${timeFormat.format(atMs)}`,
}

export const preferences = {
  title: 'Music Preferences',
  source: 'Default Music Source:',
  sourceHint: 'New rooms and searches start with it.',
  notSetUp: 'Not set up on this server',
  updated: 'Preference Updated',
  sourceSet: (source: Source) => `Default music source set to ${sourceNames[source]}`,
  matchElsewhere: 'Offer tracks I cannot play in another source',
  matchElsewhereHint:
    'If you cannot play a track, Earshot offers you the same song from another source, for you alone.',
  matchElsewhereOn: 'Tracks that you cannot play are offered in another source',
  matchElsewhereOff: 'Tracks that you cannot play are no longer offered in another source',
}

export const callback = {
  title: 'Connecting to Spotify',
  loading: 'Processing your authentication...',
  success: 'Successfully connected to Spotify!',
  redirecting: 'Redirecting you back to your profile...',
  error: 'Error connecting to Spotify',
  returnToProfile: 'Return to Profile',
  logs: 'Authentication Logs',
  noCode: 'No authorization code received from Spotify',
  authorizationError: (error: string) => `Spotify authorization error: ${error}`,
  failed: 'Failed to authenticate with Spotify. See logs for details.',
  unknownError: 'Unknown error occurred',
  log: {
    returned: 'Returned from Spotify',
    error: (error: string) => `Spotify reported: ${error}`,
    noCode: 'The address has no authorization code',
    noState: 'The address has no state, so it does not belong to a connection that you started',
    signedOut: 'You are not signed in',
    received: 'Authorization code received',
    sending: 'Sending the code to the server',
    failed: (message: string) => `The server could not connect Spotify: ${message}`,
    connected: 'The server is connected to your Spotify account',
  },
}

export const authLink = {
  title: 'Spotify authorization link',
  text: 'For operators: checks the settings of a Spotify app. This page does not connect an account.',
  clientId: 'Client ID',
  redirectUri: 'Redirect URI',
  redirectHint: 'Exactly as in the Spotify dashboard. Spotify refuses “localhost”: use 127.0.0.1.',
  generate: 'Generate Auth URL',
  url: 'Auth URL',
  copy: 'Copy',
  copied: 'Auth URL copied',
  copyFailed: 'The browser did not allow copying. Select the address and copy it.',
  open: 'Open Auth URL',
  clientIdRequired: 'Client ID is required',
  redirectUriRequired: 'Redirect URI is required',
  failed: 'Failed to generate auth URL',
  failedText: 'The redirect URI must be an address that begins with https:// or http://.',
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

export const explore = {
  title: 'Explore Rooms',
  text: 'Public rooms, the ones that play first.',
  filter: 'Playing from',
  all: 'All sources',
  showMore: 'Show more rooms',
  noneOf: (source: string) => `No public room plays from ${source}`,
  noneText: 'Choose another source, or create a room.',
}

import { limits } from '@earshot/core/limits'
import type { Source } from '@earshot/core/protocol/entities'
import { sourceNames } from './common.ts'

/** The texts of the profile and of connecting accounts. */

const dateFormat = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', year: 'numeric' })

const timeFormat = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

export const profile = {
  title: 'Profile',
  needsLogin: 'Please sign in to view your profile',
  thirdParty: 'Third-Party Software',
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
  changePicture: 'Change Picture',
  removePicture: 'Remove Picture',
  pictureUnreadable: 'This picture cannot be read',
  pictureFormats: 'Choose a JPEG, PNG or WebP image.',
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
  noPassword: 'This account has no password yet. Set one with “Forgot password?” on the sign-in page.',
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

/** The sessions of the account, and its email address. */
export const sessions = {
  title: 'Where You Are Signed In',
  show: 'Where You Are Signed In',
  here: 'This device',
  device: (browser: string, system: string) => `${browser} on ${system}`,
  unknownBrowser: 'Another program',
  unknownSystem: 'an unknown system',
  since: (ago: string) => `Signed in ${ago}`,
  signOut: 'Sign Out',
  signOutOf: (device: string) => `Sign out of ${device}`,
  signOutFailed: 'Could not sign out there',
  loadFailed: 'Your sessions could not be loaded',
  loadFailedText: 'Check your internet connection, or try again.',
}

export const emailChange = {
  open: 'Change Email',
  newEmail: 'New Email',
  password: 'Your Password',
  save: 'Save Email',
  saving: 'Saving',
  changed: 'Your email address has been changed',
  sent: 'We have sent a link to your new address',
  sentText: 'Your address changes when you open it within an hour, in a browser where you are signed in.',
  unchanged: 'Your email address was not changed',
  unchangedText: 'The link has expired or is damaged.',
  required: 'Email is required',
  failed: 'The email address could not be changed. Try again in a moment.',
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

import type { Source } from '@earshot/core/protocol/entities'
import { named } from './grammar/named.ts'

/**
 * The texts of every page: names, sources, and what frames the screens. Those quoted in docs/spec.md match it to the
 * letter.
 */

export const productName = 'Earshot'

export const sourceNames: Record<Source, string> = {
  library: 'Library',
  spotify: 'Spotify',
  youtube: 'YouTube',
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
  pageNotFound: 'Page not found',
  pageNotFoundText: 'There is nothing at this address.',
  returnHome: 'Return Home',
  skipToContent: 'Skip to content',
  notifications: 'Notifications',
}

/** Shown when the server has a newer page than the one that is open. */
export const update = {
  title: 'A new version is available',
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
  accountMenu: (name: string) => named`Account of ${name}`,
  useLightMode: 'Switch to light mode',
  useDarkMode: 'Switch to dark mode',
}

export const authentication = {
  requiredWarning: 'Authentication required',
  requiredNotice: 'Authentication Required',
  joinNeedsLogin: 'Please log in to join a room',
  welcome: (name: string) => named`Welcome, ${name}`,
  signedIn: 'Login successful',
  signedOut: 'You have been signed out successfully',
  sessionEnded: 'Your session has ended',
  signOutFailed: 'Error signing out',
  unreadableTitle: 'Your sign-in could not be checked',
  unreadableText: 'Check your internet connection, or try again.',
  sessionErrorTitle: 'Authentication Error',
  sessionErrorText:
    'There was a problem connecting to the authentication service. Some features may be limited.',
}

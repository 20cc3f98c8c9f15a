import { splash } from './common.ts'

/** The texts of the HTML document and of the page that shows where the server cannot be reached. */

export const documentTexts = {
  splash: splash.text,
  description: 'Listen to music together: everybody in the room hears the same thing.',
  noScript: 'Earshot plays music in sync, for which it needs JavaScript. Please switch it on.',
  offlineTitle: 'Offline · Earshot',
  offlineHeading: 'Earshot cannot be reached',
  offlineText: 'There is no connection, or the server is away. Music that plays in another tab plays on.',
  tryAgain: 'Try again',
}

/**
 * The texts about settings of browser and server: a cookie that is refused, settings that a separately hosted page
 * lacks, and a link which works on this computer only.
 */

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

/** The notice beside a link that works on this computer only. */
export const localLink = {
  text: 'This link works on this computer only. For other devices, set PUBLIC_URL to an address at which they reach Earshot. In your own network, start it with HOST=0.0.0.0 and open it at one of the addresses that it then prints.',
}

/** Where a browser refuses the cookie of the session, for the sign-in page and the door of a room. */
export const cookies = {
  refused:
    'Your browser refused the cookie that keeps you signed in. Allow cookies for this site, or open it in a tab of its own.',
}

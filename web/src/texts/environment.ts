/** The texts of the notice about settings that a separately hosted page lacks. */

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

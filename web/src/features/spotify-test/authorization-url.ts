/** The scopes that Earshot asks for (7.10). */
const scopes = [
  'user-read-private',
  'user-read-email',
  'user-read-playback-state',
  'user-modify-playback-state',
  'user-read-currently-playing',
  'streaming',
  'playlist-read-private',
  'playlist-read-collaborative',
]

/** Returns the address of Spotify's consent page, or null for a redirect address that is not a web address. */
export function toAuthorizationUrl(clientId: string, redirectUri: string): string | null {
  const redirect = URL.parse(redirectUri)
  if (redirect === null || !/^https?:$/.test(redirect.protocol)) return null
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    scope: scopes.join(' '),
    redirect_uri: redirectUri,
    show_dialog: 'true',
  })
  return `https://accounts.spotify.com/authorize?${query}`
}

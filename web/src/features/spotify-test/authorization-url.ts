import { spotifyScopes } from '@earshot/core/protocol/providers'

/** Returns the address of Spotify's consent page, or null for a redirect address that is not a web address. */
export function toAuthorizationUrl(clientId: string, redirectUri: string): string | null {
  const redirect = URL.parse(redirectUri)
  if (redirect === null || !/^https?:$/.test(redirect.protocol)) return null
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    scope: spotifyScopes.join(' '),
    redirect_uri: redirectUri,
    show_dialog: 'true',
  })
  return `https://accounts.spotify.com/authorize?${query}`
}

/** The target of a Spotify link. */
interface SpotifyLink {
  kind: 'track' | 'playlist'
  id: string
}

const uriPattern = /^spotify:(?:user:[^:]+:)?(track|playlist):(\w{1,100})$/
const pathPattern = /^\/(?:intl-[\w-]+\/)?(?:embed\/)?(?:user\/[^/]+\/)?(track|playlist)\/(\w{1,100})\/?$/

/** Parses a link or URI of a track or playlist, as Spotify's apps share them; null for any other text. */
export function parseSpotifyLink(link: string): SpotifyLink | null {
  const text = link.trim()
  const url = URL.parse(/^open\.spotify\.com\//i.test(text) ? `https://${text}` : text)
  const isWebLink = url !== null && /^https?:$/.test(url.protocol) && url.hostname === 'open.spotify.com'
  const [, kind, id] = (uriPattern.exec(text) ?? (isWebLink && pathPattern.exec(url.pathname))) || []
  return (kind === 'track' || kind === 'playlist') && id !== undefined ? { kind, id } : null
}

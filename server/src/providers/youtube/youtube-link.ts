import { AppError } from '@earshot/core/protocol/errors'
import { youtubeMessages } from '@earshot/core/protocol/provider-messages'

/** Parses pasted YouTube links. Only ids are taken from a link; the link itself is never requested. */

type YoutubeLink = { kind: 'video'; id: string } | { kind: 'playlist'; id: string }

const hosts = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'music.youtube.com',
  'www.youtube-nocookie.com',
  'youtube-nocookie.com',
])
const shortHosts = new Set(['youtu.be', 'www.youtu.be'])

/** Paths whose next part is a video's id. */
const videoPaths = new Set(['shorts', 'live', 'embed', 'v', 'e'])
const idPattern = /^[\w-]{1,64}$/

/**
 * Returns what a link leads to: a playlist only where the link names no video. Null if it is no link to a YouTube video
 * or playlist.
 * @throws AppError link_not_supported for mixes and private lists, which YouTube shows to their user only
 */
export function parseYoutubeLink(link: string): YoutubeLink | null {
  const text = link.trim()
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '') return null
  const [first = '', second = ''] = url.pathname.split('/').filter((part) => part !== '')
  if (shortHosts.has(url.hostname)) return toVideo(first) ?? toPlaylist(url.searchParams.get('list'))
  if (!hosts.has(url.hostname)) return null
  if (first === 'watch' || first === 'playlist') {
    const video = first === 'watch' ? toVideo(url.searchParams.get('v') ?? '') : null
    return video ?? toPlaylist(url.searchParams.get('list'))
  }
  if (first === 'embed' && second === 'videoseries') return toPlaylist(url.searchParams.get('list'))
  // YouTube Music shows a playlist also under this address.
  if (first === 'browse') return second.startsWith('VL') ? toPlaylist(second.slice('VL'.length)) : null
  return videoPaths.has(first) ? toVideo(second) : null
}

function toVideo(id: string): YoutubeLink | null {
  return idPattern.test(id) ? { kind: 'video', id } : null
}

function toPlaylist(id: string | null): YoutubeLink | null {
  if (id === null || !idPattern.test(id)) return null
  // `RDCLAK` are playlists of YouTube Music's editors: the same for everybody.
  if (id.startsWith('RD') && !id.startsWith('RDCLAK')) {
    throw new AppError('link_not_supported', youtubeMessages.mix)
  }
  if (id === 'WL' || id === 'LL' || id === 'LM') {
    throw new AppError('link_not_supported', youtubeMessages.privateList)
  }
  return { kind: 'playlist', id }
}

import type { Catalogue } from './catalogue.ts'
import { isVideoId } from './prefixed-ids.ts'
import type { DoubleVideo } from './videos.ts'

export interface OembedAnswer {
  status: number
  /** JSON, or the plain text of a refusal. */
  body: object | string
}

const badRequest: OembedAnswer = { status: 400, body: 'Bad Request' }
const unauthorized: OembedAnswer = { status: 401, body: 'Unauthorized' }
const notFound: OembedAnswer = { status: 404, body: 'Not Found' }
const hosts = ['www.youtube.com', 'youtube.com', 'm.youtube.com', 'music.youtube.com', 'youtu.be']

/**
 * Answers a keyless lookup of a video's or playlist's title. `missingStatus`: the answer to an id without a video, for
 * which both 400 and 404 were seen.
 */
export function answerOembed(
  catalogue: Catalogue,
  query: URLSearchParams,
  missingStatus: 400 | 404,
): OembedAnswer {
  const url = URL.parse(query.get('url') ?? '')
  if ((query.get('format') ?? 'json') !== 'json') return { status: 501, body: 'Not Implemented' }
  if (!url) return badRequest
  // The no-cookie host and addresses of frames are not known to oEmbed.
  if (!hosts.includes(url.host) || url.pathname.startsWith('/embed/')) return notFound
  const videoId = readVideoId(url)
  if (videoId === null) return answerPlaylist(catalogue, url)
  if (!isVideoId(videoId)) return badRequest
  const video = catalogue.find(videoId)
  if (!video) return missingStatus === 400 ? badRequest : notFound
  if (video.privacy === 'private' || !video.isEmbeddable) return unauthorized
  return { status: 200, body: describeVideo(video) }
}

function readVideoId(url: URL): string | null {
  if (url.host === 'youtu.be') return url.pathname.slice(1)
  if (url.pathname === '/watch') return url.searchParams.get('v')
  return /^\/(?:shorts|live|v)\/([^/]+)/.exec(url.pathname)?.[1] ?? null
}

function answerPlaylist(catalogue: Catalogue, url: URL): OembedAnswer {
  const list = url.pathname === '/playlist' ? url.searchParams.get('list') : null
  if (list === null) return notFound
  const playlist = catalogue.findPlaylist(list)
  if (!playlist) return notFound
  return { status: 200, body: toOembed(playlist.title, playlist.channelTitle, playlist.videoIds[0] ?? '') }
}

function describeVideo(video: DoubleVideo): object {
  return toOembed(video.title, video.channelTitle, video.id)
}

function toOembed(title: string, author: string, videoId: string): object {
  return {
    title,
    author_name: author,
    author_url: `https://www.youtube.com/@${encodeURIComponent(author.replaceAll(' ', ''))}`,
    type: 'video',
    height: 113,
    width: 200,
    version: '1.0',
    provider_name: 'YouTube',
    provider_url: 'https://www.youtube.com/',
    thumbnail_height: 360,
    thumbnail_width: 480,
    thumbnail_url: `https://i.ytimg.com/vi/${videoId}/hqdefault.jpg`,
    html: `<iframe width="200" height="113" src="https://www.youtube.com/embed/${videoId}?feature=oembed"></iframe>`,
  }
}

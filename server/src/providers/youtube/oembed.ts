import { z } from 'zod'
import { YoutubeError } from './youtube-error.ts'
import { requestYoutube } from './youtube-request.ts'
import { type Video, lenientSnippetSchema, toUncheckedVideo, watchUrl } from './video-track.ts'

const oembedSchema = z.object({
  title: z.string().nullish().catch(null),
  author_name: z.string().nullish().catch(null),
  thumbnail_url: z.string().nullish().catch(null),
})

/** Reads a video's title and channel without a key; null if there is none that others may show. @throws YoutubeError */
export async function findByOembed(oembedUrl: string, videoId: string): Promise<Video | null> {
  const url = new URL(oembedUrl)
  url.searchParams.set('format', 'json')
  url.searchParams.set('url', watchUrl(videoId))
  const { status, json } = await requestYoutube(url)
  // 401: others may not show it; 403: it is private.
  if ([400, 401, 403, 404].includes(status)) return null
  if (status === 429) throw new YoutubeError('busy', status, 'YouTube asked to send fewer requests')
  const parsed = oembedSchema.safeParse(json)
  if (status !== 200 || !parsed.success) {
    throw new YoutubeError('failed', status, `YouTube answered with status ${status}`)
  }
  const { title, author_name, thumbnail_url } = parsed.data
  const thumbnails = thumbnail_url ? { high: { url: thumbnail_url } } : null
  const snippet = lenientSnippetSchema.parse({ title, channelTitle: author_name, thumbnails })
  return toUncheckedVideo(videoId, snippet)
}

import type { youtube_v3 } from '@googleapis/youtube'
import { z } from 'zod'
import { findByOembed } from './oembed.ts'
import {
  type Video,
  lenientSnippetSchema,
  readSnippet,
  toUncheckedVideo,
  toVideo,
  videoIdSchema,
  videoItemSchema,
} from './video-track.ts'
import { YoutubeError, toYoutubeError } from './youtube-error.ts'
import { requestYoutube } from './youtube-request.ts'

/** The largest number of ids, and of playlist entries, that one request may name. */
export const batchSize = 50

interface YoutubePlaylistPart {
  /** In order. The title is YouTube's own: 'Private video' or 'Deleted video' for those. */
  entries: { videoId: string; title: string }[]
  total: number | null
  nextCursor: string | null
}

export interface YoutubePlaylistInfo {
  name: string | null
  ownerName: string | null
  image: string | null
  trackCount: number | null
}

/** The operations of the YouTube Data API that are used. All throw YoutubeError. */
export interface YoutubeApi {
  /** Searches videos; costs one of the key's searches of the day. */
  search(query: string, maxResults: number, key: string): Promise<Video[]>
  /** Reads up to 50 videos. Those that do not exist are missing from the result. */
  listVideos(ids: string[], key: string): Promise<Video[]>
  /** Reads the most popular videos, which any valid key may. */
  listPopular(maxResults: number, key: string): Promise<Video[]>
  /** Null if it does not exist or is private. */
  findPlaylist(id: string, key: string): Promise<YoutubePlaylistInfo | null>
  listPlaylist(id: string, cursor: string | null, key: string): Promise<YoutubePlaylistPart>
  /** Reads a video's title and channel without a key. Null if there is none that others may show. */
  findByOembed(videoId: string): Promise<Video | null>
}

const itemsSchema = z.object({
  items: z.array(z.unknown()).nullish().catch(null),
  nextPageToken: z.string().min(1).max(500).nullish().catch(null),
  pageInfo: z.object({ totalResults: z.number().int().nonnegative() }).nullish().catch(null),
})

const searchItemSchema = z.object({
  id: z.object({ videoId: videoIdSchema }),
  snippet: lenientSnippetSchema,
})

const playlistSchema = z.object({
  snippet: lenientSnippetSchema,
  contentDetails: z
    .object({ itemCount: z.number().int().nonnegative().nullish().catch(null) })
    .nullish()
    .catch(null),
})

const playlistItemSchema = z.object({
  snippet: z
    .object({
      title: z.string().catch(''),
      resourceId: z.object({ videoId: videoIdSchema }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
  contentDetails: z.object({ videoId: videoIdSchema.nullish() }).nullish().catch(null),
})

const unreadable = (): YoutubeError => new YoutubeError('failed', 200, 'YouTube sent an unreadable answer')

/** Google's own types check the names of parameters. */
type SearchParameters = youtube_v3.Params$Resource$Search$List
type VideosParameters = youtube_v3.Params$Resource$Videos$List
type PlaylistsParameters = youtube_v3.Params$Resource$Playlists$List
type PlaylistItemsParameters = youtube_v3.Params$Resource$Playlistitems$List

/** Parses each item by itself: one that is not as expected is left out. */
function parseItems<Item>(items: unknown[] | null | undefined, schema: z.ZodType<Item>): Item[] {
  return (items ?? []).flatMap((item) => schema.safeParse(item).data ?? [])
}

export function createYoutubeApi(urls: { apiUrl: string; oembedUrl: string }): YoutubeApi {
  const call = async (
    resource: string,
    parameters: Record<string, string | number | string[]>,
    key: string,
  ): Promise<z.infer<typeof itemsSchema>> => {
    const url = new URL(`${urls.apiUrl}/${resource}`)
    for (const [name, value] of Object.entries({ ...parameters, key })) {
      url.searchParams.set(name, String(value))
    }
    const answer = await requestYoutube(url)
    if (answer.status !== 200) throw toYoutubeError(answer, key)
    const parsed = itemsSchema.safeParse(answer.json)
    if (!parsed.success) throw unreadable()
    return parsed.data
  }
  const listVideos = async (
    filter: { id: string[] } | { chart: string; maxResults: number },
    key: string,
  ): Promise<Video[]> => {
    const part = ['snippet', 'contentDetails', 'status']
    const { items } = await call('videos', { part, ...filter } satisfies VideosParameters, key)
    return parseVideos(items)
  }

  return {
    async search(q, maxResults, key) {
      const fixed = { part: ['snippet'], type: ['video'], videoEmbeddable: 'true' }
      const { items } = await call('search', { ...fixed, maxResults, q } satisfies SearchParameters, key)
      return parseItems(items, searchItemSchema).map(({ id, snippet }) =>
        toUncheckedVideo(id.videoId, snippet),
      )
    },
    listVideos: async (ids, key) => (ids.length === 0 ? [] : await listVideos({ id: ids }, key)),
    listPopular: (maxResults, key) => listVideos({ chart: 'mostPopular', maxResults }, key),
    async findPlaylist(id, key) {
      const parameters = { part: ['snippet', 'contentDetails'], id: [id] } satisfies PlaylistsParameters
      const { items } = await call('playlists', parameters, key)
      const [item] = parseItems(items, playlistSchema)
      if (!item) return null
      const { title, channelTitle, thumbnail } = readSnippet(item.snippet)
      const trackCount = item.contentDetails?.itemCount ?? null
      return { name: title, ownerName: channelTitle, image: thumbnail, trackCount }
    },
    async listPlaylist(playlistId, pageToken, key) {
      const parameters = {
        part: ['snippet', 'contentDetails'],
        playlistId,
        maxResults: batchSize,
        ...(pageToken === null ? {} : { pageToken }),
      } satisfies PlaylistItemsParameters
      const { items, nextPageToken, pageInfo } = await call('playlistItems', parameters, key)
      return {
        entries: readEntries(items),
        total: pageInfo?.totalResults ?? null,
        nextCursor: toCursor(nextPageToken, pageToken),
      }
    },
    findByOembed: (videoId) => findByOembed(urls.oembedUrl, videoId),
  }
}

/** @throws YoutubeError where there is no list, which does not mean that the videos are gone */
function parseVideos(items: unknown[] | null | undefined): Video[] {
  if (!items) throw unreadable()
  return parseItems(items, videoItemSchema).map(toVideo)
}

function readEntries(items: unknown[] | null | undefined): YoutubePlaylistPart['entries'] {
  return parseItems(items, playlistItemSchema).flatMap(({ snippet, contentDetails }) => {
    const videoId = contentDetails?.videoId ?? snippet?.resourceId?.videoId
    return videoId ? [{ videoId, title: snippet?.title ?? '' }] : []
  })
}

/** A part that is its own next one would be read for ever. */
const toCursor = (token: string | null | undefined, before: string | null): string | null =>
  token === before ? null : (token ?? null)

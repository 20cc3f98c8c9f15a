import { dayMs, hourMs, minuteMs } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import { toTrackId } from '@earshot/core/protocol/providers'
import { toDurationFields } from '@earshot/core/sync/duration'
import { decode } from 'html-entities'
import { z } from 'zod'
import { cleanText } from '../provider-text.ts'

/** Reads videos as the Data API describes them: leniently, so that a missing or unknown field does no harm. */

/** A video; unknown parts are null. */
export interface Video {
  id: string
  title: string
  channelTitle: string
  thumbnail: string | null
  durationMs: number | null
  restriction: Track['restriction']
  /** YouTube offers it in some countries only. */
  isRegional: boolean
}

/** The title of a video of which only the id is known. */
export const unknownTitle = 'YouTube video'

const textSchema = z.string().nullish().catch(null)
const thumbnailSchema = z
  .object({ url: z.url({ protocol: /^https?$/ }).max(2_000) })
  .nullish()
  .catch(null)

const snippetSchema = z.object({
  title: textSchema,
  channelTitle: textSchema,
  /** Of an entry in a playlist: `channelTitle` is then that of the playlist. */
  videoOwnerChannelTitle: textSchema,
  liveBroadcastContent: textSchema,
  thumbnails: z
    .object({ high: thumbnailSchema, medium: thumbnailSchema, default: thumbnailSchema })
    .nullish()
    .catch(null),
})
type Snippet = z.infer<typeof snippetSchema>
export const lenientSnippetSchema = snippetSchema.nullish().catch(null)

/** Anything else could not be put into an address, or into a list of ids. */
export const videoIdSchema = z.string().regex(/^[\w-]{1,64}$/)

export const videoItemSchema = z.object({
  id: videoIdSchema,
  snippet: lenientSnippetSchema,
  contentDetails: z
    .object({
      duration: textSchema,
      contentRating: z.object({ ytRating: textSchema }).nullish().catch(null),
      regionRestriction: z
        .object({ allowed: z.array(z.string()).nullish(), blocked: z.array(z.string()).nullish() })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
  status: z
    .object({
      embeddable: z.boolean().nullish().catch(null),
      privacyStatus: textSchema,
      uploadStatus: textSchema,
    })
    .nullish()
    .catch(null),
})
type VideoItem = z.infer<typeof videoItemSchema>

export function toVideo(item: VideoItem): Video {
  return {
    ...toUncheckedVideo(item.id, item.snippet),
    durationMs: parseDuration(item.contentDetails?.duration),
    restriction: findRestriction(item),
    isRegional: isRegional(item),
  }
}

/** Returns the unescaped texts of a snippet (searches escape them as HTML) and its largest thumbnail. */
export function readSnippet(snippet: Snippet | null | undefined): {
  title: string | null
  channelTitle: string | null
  thumbnail: string | null
} {
  const { high, medium, default: small } = snippet?.thumbnails ?? {}
  return {
    title: toText(snippet?.title),
    channelTitle: toText(snippet?.videoOwnerChannelTitle ?? snippet?.channelTitle),
    thumbnail: high?.url ?? medium?.url ?? small?.url ?? null,
  }
}

/** A video of which only the snippet is known. */
export function toUncheckedVideo(id: string, snippet: Snippet | null | undefined): Video {
  const { title, channelTitle, thumbnail } = readSnippet(snippet)
  return {
    id,
    title: title ?? unknownTitle,
    channelTitle: channelTitle ?? 'YouTube',
    thumbnail,
    durationMs: null,
    restriction: isLive(snippet) ? 'live' : null,
    isRegional: false,
  }
}

const toText = (text: string | null | undefined): string | null => cleanText(decode(text ?? '')) || null

const isLive = (snippet: Snippet | null | undefined): boolean =>
  ['live', 'upcoming'].includes(snippet?.liveBroadcastContent ?? '')

function findRestriction({ snippet, contentDetails, status }: VideoItem): Track['restriction'] {
  const isGone = ['deleted', 'failed', 'rejected'].includes(status?.uploadStatus ?? '')
  const isBlockedEverywhere = contentDetails?.regionRestriction?.allowed?.length === 0
  if (status?.privacyStatus === 'private' || isGone || isBlockedEverywhere) return 'removed'
  if (isLive(snippet) || contentDetails?.duration === 'P0D') return 'live'
  if (status?.embeddable === false) return 'not_embeddable'
  return contentDetails?.contentRating?.ytRating === 'ytAgeRestricted' ? 'age_restricted' : null
}

function isRegional({ contentDetails }: VideoItem): boolean {
  const { allowed, blocked } = contentDetails?.regionRestriction ?? {}
  return Boolean(allowed?.length || blocked?.length)
}

const isoDuration = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/
const partsMs = [7 * dayMs, dayMs, hourMs, minuteMs, 1_000]

/** Parses an ISO 8601 duration such as PT3M20S to ms. Null if it is none, above a week, or zero as for live streams. */
export function parseDuration(text: string | null | undefined): number | null {
  const [, ...parts] = isoDuration.exec(text ?? '') ?? []
  const sum = parts.reduce((total, part, index) => total + Number(part ?? 0) * (partsMs[index] ?? 0), 0)
  return sum > 0 && sum <= limits.mediaTimeMaxMs ? Math.round(sum) : null
}

export const watchUrl = (videoId: string): string => `https://www.youtube.com/watch?v=${videoId}`

export function toTrack(video: Video): Track {
  return {
    id: toTrackId('youtube', video.id),
    title: video.title,
    // The channels that YouTube makes for artists are named so.
    artist: video.channelTitle.replace(/ - Topic$/, ''),
    album: '',
    ...toDurationFields(video.durationMs),
    source: 'youtube',
    albumArt: video.thumbnail,
    album_art: video.thumbnail,
    url: watchUrl(video.id),
    uri: null,
    ...(video.restriction ? { restriction: video.restriction } : {}),
    ...(video.isRegional ? { regional: true } : {}),
  }
}

import { limits } from '@earshot/core/limits'
import type { Track } from '@earshot/core/protocol/entities'
import { spotifyMessages } from '@earshot/core/protocol/provider-messages'
import { type Playlist, toTrackId } from '@earshot/core/protocol/providers'
import { toDurationFields } from '@earshot/core/sync/duration'
import { z } from 'zod'
import { cleanText } from '../provider-text.ts'

/**
 * The fields of the Web API's answers that are read. Fields that are missing or have another shape than expected do
 * no harm: only an entry without an id or a name is dropped. Playlists have the field names of before and after
 * February 2026.
 */

const urlMaxLength = 2_000
/** Covers are shown at up to 150 px, and sharp on screens of twice the density. */
const imageWidthPx = 300

const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(null)

const imagesSchema = lenient(z.array(lenient(z.object({ url: z.string(), width: lenient(z.number()) }))))

const trackItemSchema = z.object({
  id: lenient(z.string()),
  uri: lenient(z.string()),
  type: lenient(z.string()),
  name: z.string().min(1),
  duration_ms: lenient(z.number().min(1).max(limits.mediaTimeMaxMs)),
  is_playable: lenient(z.boolean()),
  restrictions: lenient(z.object({ reason: lenient(z.string()) })),
  is_local: lenient(z.boolean()),
  artists: lenient(z.array(lenient(z.object({ name: lenient(z.string()) })))),
  album: lenient(z.object({ name: lenient(z.string()), images: imagesSchema })),
  external_ids: lenient(z.object({ isrc: lenient(z.string().min(1).max(20)) })),
})
type TrackItem = z.infer<typeof trackItemSchema>

const pageFields = {
  items: lenient(z.array(z.unknown())),
  total: lenient(z.number().int().nonnegative()),
  next: lenient(z.string()),
}

export const searchAnswerSchema = z.object({ tracks: z.object(pageFields) })
export const trackAnswerSchema = z.unknown()
export const profileAnswerSchema = z.object({ display_name: lenient(z.string().transform(cleanText)) })
export const playlistsAnswerSchema = z.object(pageFields)
export const playlistItemsAnswerSchema = z.object(pageFields)

const countSchema = lenient(z.object({ total: lenient(z.number().int().nonnegative()) }))
const playlistAnswerSchema = z.object({
  id: z.string().min(1).max(200),
  name: lenient(z.string()),
  images: imagesSchema,
  owner: lenient(z.object({ display_name: lenient(z.string()) })),
  items: countSchema,
  tracks: countSchema,
})

const entrySchema = z.object({
  item: z.unknown().optional(),
  track: z.unknown().optional(),
  is_local: lenient(z.boolean()),
})

const idPattern = /^[\w-]{1,100}$/

/** Reads a track of a search or a lookup; null for what is no playable track. */
export function readTrack(item: unknown): Track | null {
  const parsed = trackItemSchema.safeParse(item).data
  return parsed && describeObstacle(parsed) === null ? toTrack(parsed) : null
}

/** Reads an entry of a playlist: its track, or why it is none that can be queued. */
export function readEntry(entry: unknown): { track: Track } | { title: string; reason: string } {
  const { item, track, is_local: isLocal } = entrySchema.safeParse(entry).data ?? {}
  const parsed = trackItemSchema.safeParse(item ?? track).data
  if (!parsed) return { title: '', reason: spotifyMessages.entryGone }
  const obstacle = describeObstacle(isLocal ? { ...parsed, is_local: true } : parsed)
  const read = obstacle === null ? toTrack(parsed) : null
  if (read) return { track: read }
  return { title: cleanText(parsed.name), reason: obstacle ?? spotifyMessages.entryGone }
}

export function readPlaylist(item: unknown): Playlist | null {
  const parsed = playlistAnswerSchema.safeParse(item).data
  if (!parsed) return null
  const { id, name, images, owner, items, tracks } = parsed
  return {
    id,
    source: 'spotify',
    name: cleanText(name ?? '') || 'Spotify playlist',
    trackCount: items?.total ?? tracks?.total ?? null,
    image: chooseImage(images),
    ownerName: owner?.display_name ? cleanText(owner.display_name) : null,
  }
}

function describeObstacle({
  type,
  uri,
  is_local: isLocal,
  is_playable: isPlayable,
  restrictions,
}: TrackItem): string | null {
  if (isLocal || uri?.startsWith('spotify:local:')) return spotifyMessages.entryOfDevice
  if (type === 'episode' || uri?.startsWith('spotify:episode:')) return spotifyMessages.entryOfPodcast
  if (isPlayable ?? !restrictions?.reason) return null
  const isOfAccount = restrictions?.reason === 'product' || restrictions?.reason === 'explicit'
  return isOfAccount ? spotifyMessages.entryNotInAccount : spotifyMessages.entryNotInCountry
}

function toTrack(item: TrackItem): Track | null {
  const id = item.id ?? /^spotify:track:(.+)$/.exec(item.uri ?? '')?.[1] ?? ''
  if (!idPattern.test(id)) return null
  const isrc = item.external_ids?.isrc
  const image = chooseImage(item.album?.images)
  const artists = item.artists?.flatMap((artist) => artist?.name ?? []) ?? []
  return {
    id: toTrackId('spotify', id),
    title: cleanText(item.name),
    artist: cleanText(artists.join(', ')),
    album: cleanText(item.album?.name ?? ''),
    ...toDurationFields(item.duration_ms ? Math.round(item.duration_ms) : null),
    source: 'spotify',
    albumArt: image,
    album_art: image,
    url: `https://open.spotify.com/track/${id}`,
    uri: `spotify:track:${id}`,
    ...(isrc ? { isrc } : {}),
  }
}

/** Chooses the smallest image that is large enough; without sizes the first, which is the largest. */
function chooseImage(images: z.infer<typeof imagesSchema>): string | null {
  const usable = (images ?? []).flatMap((image) => (image && isWebUrl(image.url) ? [image] : []))
  const large = usable.filter(({ width }) => width && width >= imageWidthPx)
  const [best] = large.toSorted((a, b) => (a.width ?? 0) - (b.width ?? 0))
  return (best ?? usable[0])?.url ?? null
}

function isWebUrl(url: string): boolean {
  return url.length <= urlMaxLength && /^https?:$/.test(URL.parse(url)?.protocol ?? '')
}

import type { Clock } from '@earshot/core/clock'
import type { Track } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import { spotifyMessages } from '@earshot/core/protocol/provider-messages'
import type { LinkTarget, PlaylistPage } from '@earshot/core/protocol/providers'
import type { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { findTrack, upsertTracks } from '../../db/tracks.ts'
import type { Page, TrackProvider, TracksFound } from '../provider.ts'
import { readTrack, searchAnswerSchema, trackAnswerSchema } from './answers.ts'
import type { LimitPauses } from './limit-pauses.ts'
import type { SpotifyPlaylists } from './playlists.ts'
import { parseSpotifyLink } from './spotify-link.ts'
import type { StoredAccounts } from './account/stored-accounts.ts'
import type { WebApi } from './web-api.ts'
import { serverLimits } from '../../server-limits.ts'

interface SpotifyProviderParts {
  db: Db
  clock: Clock
  accounts: StoredAccounts
  webApi: WebApi
  pauses: LimitPauses
  playlists: SpotifyPlaylists
}

/** A source of tracks that also finds links and playlists. */
type SpotifyProvider = Required<TrackProvider>

/** Creates the source of Spotify's tracks. Searches use the user's own account; what is found is stored. */
export function createSpotifyProvider(parts: SpotifyProviderParts): SpotifyProvider {
  const { clock, accounts, pauses, playlists } = parts
  return {
    source: 'spotify',
    status(userId) {
      const pausedUntil = pauses.until(userId, clock.now())
      const status = { source: 'spotify' as const, available: true, reason: null }
      return pausedUntil === null ? status : { ...status, searchPausedUntil: pausedUntil }
    },
    async search(query, page, userId) {
      const text = query.trim()
      if (text === '' || !(await accounts.find(userId))) return { tracks: [], total: 0 }
      return searchTracks(parts, text, page, userId)
    },
    async resolveLink(link, userId): Promise<LinkTarget | null> {
      const target = parseSpotifyLink(link)
      if (!target) return null
      if (target.kind === 'track') return { kind: 'track', track: await lookUp(parts, target.id, userId) }
      return { kind: 'playlist', page: await playlists.read(target.id, null, userId) }
    },
    playlist: async (id, cursor, userId): Promise<PlaylistPage> => playlists.read(id, cursor, userId),
  }
}

/** A page takes several requests, of at most 10 tracks each (7.12a). */
async function searchTracks(
  { db, clock, webApi }: SpotifyProviderParts,
  q: string,
  { offset, limit }: Page,
  userId: string,
): Promise<TracksFound> {
  const { spotifySearchPageSize: step, spotifySearchMax: max } = serverLimits
  // Spotify refuses offsets beyond its last one; the total is then read with the first tracks.
  const isBeyond = offset >= max
  const end = isBeyond ? 1 : Math.min(offset + limit, max)
  const offsets: number[] = []
  for (let at = isBeyond ? 0 : offset; at < end; at += step) offsets.push(at)
  const answers = await answersBeforeFailure(
    offsets.map((at) =>
      webApi.read(userId, {
        path: 'search',
        query: { q, type: 'track', limit: Math.min(step, end - at), offset: at },
        schema: searchAnswerSchema,
      }),
    ),
  )
  const items = isBeyond ? [] : answers.flatMap((answer) => answer.tracks.items ?? [])
  const tracks = [...new Map(items.flatMap(readTrack).flatMap(toEntry)).values()]
  await upsertTracks(db, tracks, clock.now())
  const total = Math.min(
    Math.max(...answers.map(({ tracks: part }, index) => totalOf(part, offsets[index] ?? 0))),
    max,
  )
  const next = offsets[answers.length] ?? offset + limit
  return { tracks, total, nextOffset: next < total ? next : null }
}

/** Rejects only where the first one fails: what was found is shown, and the next page asks for the rest. */
async function answersBeforeFailure<Answer>(requests: Promise<Answer>[]): Promise<Answer[]> {
  const outcomes = await Promise.allSettled(requests)
  const failed = outcomes.findIndex(({ status }) => status === 'rejected')
  const first = outcomes[0]
  if (first?.status === 'rejected') throw first.reason
  const before = failed < 0 ? outcomes : outcomes.slice(0, failed)
  return before.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
}

/** Where Spotify states no total: what is known to exist, and one more if it names a next part. */
function totalOf({ total, items, next }: z.output<typeof searchAnswerSchema>['tracks'], at: number): number {
  return total ?? at + (items?.length ?? 0) + (next ? 1 : 0)
}

/** Spotify repeats tracks across the parts of a search. */
const toEntry = (track: Track | null): [string, Track][] => (track ? [[track.id, track]] : [])

/** Looks a track up, and falls back to what is stored where Spotify does not answer this user. */
async function lookUp(
  { db, clock, webApi }: SpotifyProviderParts,
  id: string,
  userId: string,
): Promise<Track> {
  try {
    const missing = new AppError('track_not_found', spotifyMessages.noSuchTrack)
    const answer = await webApi.read(userId, { path: `tracks/${id}`, schema: trackAnswerSchema, missing })
    const track = readTrack(answer)
    if (!track) throw new AppError('track_not_found', spotifyMessages.notInCountry)
    await upsertTracks(db, [track], clock.now())
    return track
  } catch (error) {
    const stored = isTemporary(error) ? await findTrack(db, `spotify:${id}`) : null
    if (stored) return stored
    throw error
  }
}

const isTemporary = (error: unknown): boolean =>
  error instanceof AppError && error.code !== 'track_not_found' && error.code !== 'rate_limited'

import {
  matchTargets,
  matchToleranceMs,
  rankMatches,
  searchWordsOf,
} from '@earshot/core/matching/track-match'
import type { Source, Track } from '@earshot/core/protocol/entities'
import { AppError } from '@earshot/core/protocol/errors'
import { httpApi } from '@earshot/core/protocol/http-api'
import { knownDurationMs } from '@earshot/core/sync/duration'
import type { FastifyInstance } from 'fastify'
import type { LibraryRule } from '../../accounts/library-access.ts'
import type { Db } from '../../db/database.ts'
import { searchLibraryFiles } from '../../db/catalogue/library-search.ts'
import { findProfile } from '../../db/profiles.ts'
import { findTrack, findTracksByIsrc, findTracksByTitle } from '../../db/tracks.ts'
import { foldText } from '../../library/search-text.ts'
import { type Limiters, takePoint } from '../../limits/rate-limits.ts'
import { requireRoomOfGuest } from '../../rooms/room-access.ts'
import { registerCall } from '../http-call.ts'
import { serverLimits } from '../../server-limits.ts'

/**
 * Serves the same song in other sources (15.16), to users who switched it on. Only what is stored is searched, so that
 * it costs no request to a provider.
 */
export function registerMatchCall(
  server: FastifyInstance,
  { db, libraryRule, limiters }: { db: Db; libraryRule: LibraryRule; limiters: Limiters },
): void {
  registerCall(server, httpApi.listMatches, async ({ params, session: { user } }) => {
    await requireRoomOfGuest(db, user)
    const [track, profile] = await Promise.all([findTrack(db, params.trackId), findProfile(db, user.id)])
    if (!track) throw new AppError('track_not_found')
    if (!profile?.match_elsewhere) return { matches: [] }
    await takePoint(limiters.library, user.id, serverLimits.librarySearchPoints)
    const candidates = await libraryRule.onlyAllowed(user.id, await findCandidates(db, track))
    return { matches: rankMatches(track, candidates) }
  })
}

const candidatesMax = 50

async function findCandidates(db: Db, track: Track): Promise<Track[]> {
  const targets = matchTargets[track.source]
  const [byCode, ...byText] = await Promise.all([
    track.isrc ? findTracksByIsrc(db, track.isrc, targets) : [],
    ...targets.map((source) => findByText(db, track, source)),
  ])
  const known = new Map([...byCode, ...byText.flat()].map((candidate) => [candidate.id, candidate]))
  return [...known.values()]
}

async function findByText(db: Db, track: Track, source: Source): Promise<Track[]> {
  const durationMs = knownDurationMs(track)
  const words = searchWordsOf(track)
  if (durationMs === null || words.length === 0) return []
  if (source === 'library') {
    const terms = words.map(foldText)
    const page = { offset: 0, limit: candidatesMax }
    return (await searchLibraryFiles(db, { phrase: terms.join(' '), words: terms }, page)).tracks
  }
  const [fromMs, toMs] = [durationMs - matchToleranceMs, durationMs + matchToleranceMs]
  // Titles are stored with their accents.
  const spelled = track.title.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []
  return await findTracksByTitle(db, { source, words: [...words, ...spelled.slice(0, 3)], fromMs, toMs })
}

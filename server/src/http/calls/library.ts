import { httpApi } from '@earshot/core/protocol/http-api'
import { AppError } from '@earshot/core/protocol/errors'
import { knownDurationMs } from '@earshot/core/sync/duration'
import type { FastifyInstance } from 'fastify'
import type { LibraryRule } from '../../accounts/library-access.ts'
import type { SessionUser } from '../../auth/session.ts'
import type { Db } from '../../db/database.ts'
import { findLibraryFile } from '../../db/catalogue/library-files.ts'
import { findTrack } from '../../db/tracks.ts'
import {
  readAlbum,
  readAlbums,
  readArtist,
  readArtists,
  readLetters,
  readRecentAlbums,
  searchAlbumsAndArtists,
} from '../../library/library-browser.ts'
import { type LibraryState, requireFolder } from '../../library/library-provider.ts'
import type { Waveforms } from '../../library/waveforms/waveforms.ts'
import { type Limiters, takePoint } from '../../limits/rate-limits.ts'
import { requireRoomOfGuest } from '../../rooms/room-access.ts'
import { registerCall } from '../http-call.ts'
import { serverLimits } from '../../server-limits.ts'

interface LibraryParts {
  db: Db
  library: LibraryState
  libraryRule: LibraryRule
  limiters: Limiters
  waveforms: Waveforms
}

/** Serves albums and artists of the music library, to those who may search it, and waveforms of what their rooms play. */
export function registerLibraryCalls(server: FastifyInstance, parts: LibraryParts): void {
  const { db, library, libraryRule, limiters, waveforms } = parts
  const requireAccess = async (user: SessionUser, points = 1): Promise<void> => {
    await requireRoomOfGuest(db, user)
    await libraryRule.require(user.id)
    requireFolder(library)
    await takePoint(limiters.library, user.id, points)
  }

  registerCall(server, httpApi.listRecentAlbums, async ({ session }) => {
    await requireAccess(session.user)
    // Before reading: a scan that ends during the read may add albums that the read misses.
    const isScanning = library.isScanning()
    return { albums: await readRecentAlbums(db), isScanning }
  })

  registerCall(server, httpApi.listAlbums, async ({ query, session }) => {
    await requireAccess(session.user)
    return readAlbums(db, query)
  })

  registerCall(server, httpApi.getAlbum, async ({ params, query, session }) => {
    await requireAccess(session.user)
    return readAlbum(db, params.albumId, query.cursor)
  })

  registerCall(server, httpApi.listArtists, async ({ query, session }) => {
    await requireAccess(session.user)
    return readArtists(db, query)
  })

  registerCall(server, httpApi.listLetters, async ({ query, session }) => {
    await requireAccess(session.user)
    return { letters: await readLetters(db, query.of) }
  })

  registerCall(server, httpApi.getArtist, async ({ params, query, session }) => {
    await requireAccess(session.user)
    return readArtist(db, params.artistId, query.cursor)
  })

  registerCall(server, httpApi.searchLibrary, async ({ query, session }) => {
    await requireAccess(session.user, serverLimits.librarySearchPoints)
    return searchAlbumsAndArtists(db, query.q)
  })

  registerCall(server, httpApi.getWaveform, async ({ params: { trackId }, session }) => {
    const [file, track] = await Promise.all([findLibraryFile(db, trackId), findTrack(db, trackId)])
    if (!file || !track) throw new AppError('track_not_found')
    const roomId = await libraryRule.findRoomToHear(session.user.id, trackId)
    if (roomId === null) throw new AppError('not_a_member')
    return { peaks: await waveforms.find(file, knownDurationMs(track)) }
  })
}

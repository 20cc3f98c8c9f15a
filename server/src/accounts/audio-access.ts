import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '@earshot/core/clock'
import { AppError } from '@earshot/core/protocol/errors'
import { BoundedMap } from '../bounded-map.ts'
import type { ResolveSession } from '../auth/session.ts'
import type { Db } from '../db/database.ts'
import { findLibraryFile, type LibraryFile } from '../db/library-files.ts'
import type { EventBus } from '../events.ts'
import type { LibraryRule } from './library-access.ts'

/**
 * Decides who gets the audio of a track. A listener asks for it once or twice a second, a range at a time, so what was
 * granted is kept for a while, and taken back by the events that end it.
 */
export interface AudioAccess {
  /**
   * Returns the file of a track, and the user, to a request of a member who may hear it.
   * @throws AppError unauthenticated, track_not_found or not_a_member
   */
  require(request: AudioRequest): Promise<{ file: LibraryFile; userId: string }>
  /** Drops what was granted for a track, whose file is not where it was. */
  forget(trackId: string): void
}

export interface AudioRequest {
  headers: IncomingHttpHeaders
  trackId: string
  resolveSession: ResolveSession
}

/** A grant holds this long without looking: for what other processes and `npm run admin` change. */
const grantMs = 30_000
const maxGrants = 5_000
/** A session's cookie has a tenth of this. Longer headers are not kept, so that nobody fills the memory. */
const maxCookieLength = 2_000

interface Grant {
  file: LibraryFile
  trackId: string
  sessionId: string
  userId: string
  roomId: string
  untilMs: number
}

export interface AudioAccessParts {
  db: Db
  clock: Clock
  libraryRule: LibraryRule
  events: Pick<EventBus, 'on' | 'emit'>
}

export function createAudioAccess({ db, clock, libraryRule, events }: AudioAccessParts): AudioAccess {
  const grants = new BoundedMap<string, Grant>(maxGrants)
  /** Counts what was taken back: a grant that was being looked up meanwhile is not kept. */
  let withdrawals = 0

  const withdraw = (isConcerned: (grant: Grant) => boolean): void => {
    withdrawals += 1
    for (const [key, grant] of grants) if (isConcerned(grant)) grants.delete(key)
  }
  events.on('sessionEnded', ({ sessionId }) => withdraw((grant) => grant.sessionId === sessionId))
  events.on('userRemoved', ({ roomId, userId }) =>
    withdraw((grant) => grant.roomId === roomId && grant.userId === userId),
  )
  events.on('roomClosed', ({ roomId }) => withdraw((grant) => grant.roomId === roomId))
  events.on('rightsChanged', ({ userId }) => withdraw((grant) => grant.userId === userId))
  events.on('tracksChanged', ({ roomId }) => withdraw((grant) => grant.roomId === roomId))

  const look = async ({ headers, trackId, resolveSession }: AudioRequest): Promise<Grant> => {
    const session = await resolveSession(headers.cookie)
    if (!session) throw new AppError('unauthenticated')
    const userId = session.user.id
    const file = await findLibraryFile(db, trackId)
    const roomId = await libraryRule.findRoomToHear(userId, trackId)
    if (!file && roomId !== null) void events.emit('audioMissing', { trackId })
    if (!file) throw new AppError('track_not_found')
    if (roomId === null) throw new AppError('not_a_member')
    return { file, trackId, sessionId: session.id, userId, roomId, untilMs: clock.now() + grantMs }
  }

  return {
    async require(request) {
      const cookie = request.headers.cookie ?? ''
      const key = `${request.trackId} ${cookie}`
      const known = grants.get(key)
      if (known && clock.now() < known.untilMs) return known
      const withdrawalsBefore = withdrawals
      const grant = await look(request)
      grants.delete(key)
      if (withdrawals === withdrawalsBefore && cookie.length <= maxCookieLength) grants.set(key, grant)
      return grant
    },
    forget: (trackId) => withdraw((grant) => grant.trackId === trackId),
  }
}

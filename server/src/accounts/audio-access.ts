import type { IncomingHttpHeaders } from 'node:http'
import { type Clock, minuteMs } from '@earshot/core/clock'
import { AppError } from '@earshot/core/protocol/errors'
import { BoundedMap } from '../bounded-map.ts'
import type { ResolveSession } from '../auth/session.ts'
import type { Db } from '../db/database.ts'
import { findLibraryFile, type LibraryFile } from '../db/catalogue/library-files.ts'
import type { EventBus } from '../events.ts'
import { type Presence, httpHolderId } from '../presence/presence.ts'
import { isUnavailable } from '../unavailable.ts'
import type { LibraryRule } from './library-access.ts'
import { serverLimits } from '../server-limits.ts'

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

interface AudioRequest {
  headers: IncomingHttpHeaders
  trackId: string
  resolveSession: ResolveSession
}

/** A grant holds this long without looking: for what other processes and `npm run admin` change. */
const grantMs = 30_000
/** Where the database is away, a grant holds this much longer, unless an event ends it: the music plays on. */
const outageMs = 10 * minuteMs
/** Grace period of a grant after its track was replaced. */
const leaveMs = 10_000
/** A database that takes longer to answer counts as away: the page has a few seconds of sound left. */
const patienceMs = 1_000
/** Then it is asked again. */
const retryMs = 10_000
const maxGrants = 5_000
/** A session's cookie has a tenth of this. Longer ones are not kept, so that nobody fills the memory. */
const maxKeyLength = 2_000

interface Grant {
  file: LibraryFile
  trackId: string
  sessionId: string
  userId: string
  roomId: string
  /** Then it is looked up again. */
  untilMs: number
  /** Then it ends, even if the database is away. */
  endsMs: number
}

interface AudioAccessParts {
  db: Db
  clock: Clock
  libraryRule: LibraryRule
  events: Pick<EventBus, 'on' | 'emit'>
  presence: Pick<Presence, 'renew'>
}

export function createAudioAccess(parts: AudioAccessParts): AudioAccess {
  const { clock, events } = parts
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
  events.on('tracksChanged', ({ roomId, outcome: { before, state } }) => {
    // The track before may sound to its end while the next one is current.
    const lastMs = clock.now() + leaveMs
    const leftId = state.track?.id === before.track?.id ? null : before.track?.id
    const isLeft = (grant: Grant) => grant.roomId === roomId && grant.trackId === leftId
    for (const grant of grants.values()) {
      if (isLeft(grant)) grant.untilMs = grant.endsMs = Math.min(grant.untilMs, lastMs)
    }
    withdraw((grant) => grant.roomId === roomId && !isLeft(grant))
  })

  /** Looks a request up, and keeps the result under a key. */
  const renew = async (key: string, request: AudioRequest): Promise<Grant> => {
    const withdrawalsBefore = withdrawals
    try {
      const grant = await look(parts, request)
      grants.delete(key)
      const isShort = key.length <= maxKeyLength
      if (withdrawals === withdrawalsBefore && isShort) grants.set(key, grant)
      return grant
    } catch (error) {
      if (!isUnavailable(error)) grants.delete(key)
      throw error
    }
  }
  /** Resolves to a grant that is renewed, or to the old one where the database is away and nothing has ended it. */
  const renewOrKeep = async (key: string, renewing: Promise<Grant>, known: Grant): Promise<Grant> => {
    const { promise: isLate, resolve } = Promise.withResolvers<null>()
    const cancel = clock.after(patienceMs, () => resolve(null))
    const renewed = await Promise.race([renewing, isLate]).catch(nullIfUnavailable).finally(cancel)
    if (renewed) return renewed
    if (grants.get(key) !== known) return await renewing
    known.untilMs = clock.now() + retryMs
    return known
  }

  return {
    async require(request) {
      const key = `${request.trackId} ${request.headers.cookie ?? ''}`
      const known = grants.get(key)
      if (known && clock.now() < known.untilMs) return known
      const renewing = renew(key, request)
      const mayKeep = known && clock.now() < known.endsMs
      return await (mayKeep ? renewOrKeep(key, renewing, known) : renewing)
    },
    forget: (trackId) => withdraw((grant) => grant.trackId === trackId),
  }
}

async function look(parts: AudioAccessParts, request: AudioRequest): Promise<Grant> {
  const { db, clock, libraryRule, events, presence } = parts
  const { headers, trackId, resolveSession } = request
  const session = await resolveSession(headers.cookie)
  if (!session) throw new AppError('unauthenticated')
  const userId = session.user.id
  const file = await findLibraryFile(db, trackId)
  const roomId = await libraryRule.findRoomToHear(userId, trackId)
  if (!file && roomId !== null) void events.emit('audioMissing', { trackId })
  if (!file) throw new AppError('track_not_found')
  if (roomId === null) throw new AppError('not_a_member')
  // Keeps a member present who only streams. Not awaited: where presence is away, the music plays on.
  const lease = { roomId, userId, holderId: httpHolderId }
  void presence.renew(lease, serverLimits.httpPresenceLeaseMs).catch(() => undefined)
  const untilMs = clock.now() + grantMs
  return { file, trackId, sessionId: session.id, userId, roomId, untilMs, endsMs: untilMs + outageMs }
}

function nullIfUnavailable(error: unknown): null {
  if (isUnavailable(error)) return null
  throw error
}

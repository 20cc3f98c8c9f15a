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
  renewAtMs: number
  /** Until then it may be used while the database is away. */
  usableUntilMs: number
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
  const grants = createGrants()

  events.on('sessionEnded', ({ sessionId }) => grants.withdraw((grant) => grant.sessionId === sessionId))
  events.on('userRemoved', ({ roomId, userId }) =>
    grants.withdraw((grant) => grant.roomId === roomId && grant.userId === userId),
  )
  events.on('roomClosed', ({ roomId }) => grants.withdraw((grant) => grant.roomId === roomId))
  events.on('rightsChanged', ({ userId }) => grants.withdraw((grant) => grant.userId === userId))
  events.on('tracksChanged', ({ roomId, outcome: { before, state } }) => {
    // The track before may sound to its end while the next one is current.
    const leftId = state.track?.id === before.track?.id ? null : before.track?.id
    const isLeft = (grant: Grant) => grant.roomId === roomId && grant.trackId === leftId
    grants.shorten(isLeft, clock.now() + leaveMs)
    grants.withdraw((grant) => grant.roomId === roomId && !isLeft(grant))
  })

  /** Looks a request up, and keeps the result under a key. */
  const renew = async (key: string, request: AudioRequest): Promise<Grant> => {
    const revision = grants.revision()
    try {
      const grant = await look(parts, request)
      grants.store(key, grant, revision)
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
    if (grants.find(key) !== known) return await renewing
    known.renewAtMs = clock.now() + retryMs
    return known
  }

  return {
    async require(request) {
      const key = `${request.trackId} ${request.headers.cookie ?? ''}`
      const known = grants.find(key)
      if (known && clock.now() < known.renewAtMs) return known
      const renewing = renew(key, request)
      const mayKeep = known && clock.now() < known.usableUntilMs
      return await (mayKeep ? renewOrKeep(key, renewing, known) : renewing)
    },
    forget: (trackId) => grants.withdraw((grant) => grant.trackId === trackId),
  }
}

/** Keeps what was granted, by key. */
function createGrants() {
  const grants = new BoundedMap<string, Grant>(maxGrants)
  let revision = 0
  return {
    find: (key: string): Grant | undefined => grants.get(key),
    delete: (key: string) => grants.delete(key),
    /** Returns a number that each withdrawal raises. */
    revision: () => revision,
    /** Stores a grant that was looked up since a revision, unless one was withdrawn meanwhile, which may be this one. */
    store(key: string, grant: Grant, sinceRevision: number): void {
      grants.delete(key)
      if (revision === sinceRevision && key.length <= maxKeyLength) grants.set(key, grant)
    },
    withdraw(isConcerned: (grant: Grant) => boolean): void {
      revision += 1
      for (const [key, grant] of grants) if (isConcerned(grant)) grants.delete(key)
    },
    /** Ends grants at an instant, or when they are to be looked up again where that is before. */
    shorten(isConcerned: (grant: Grant) => boolean, lastMs: number): void {
      for (const grant of grants.values()) {
        if (isConcerned(grant)) grant.renewAtMs = grant.usableUntilMs = Math.min(grant.renewAtMs, lastMs)
      }
    },
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
  const renewAtMs = clock.now() + grantMs
  const usableUntilMs = renewAtMs + outageMs
  return { file, trackId, sessionId: session.id, userId, roomId, renewAtMs, usableUntilMs }
}

function nullIfUnavailable(error: unknown): null {
  if (isUnavailable(error)) return null
  throw error
}

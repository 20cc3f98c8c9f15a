import { readdir } from 'node:fs/promises'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { trackArtPath, trackAudioPath } from '@earshot/core/protocol/media-paths'
import { pino } from 'pino'
import { beforeAll, onTestFinished } from 'vitest'
import { createAudioAccess } from '../src/accounts/audio-access.ts'
import { createLibraryRule } from '../src/accounts/library-access.ts'
import { systemClock } from '../src/clock/server-clock.ts'
import { createCoverGrants } from '../src/crypto/cover-grants.ts'
import type { Db } from '../src/db/database.ts'
import { parseEnv } from '../src/env/env.ts'
import { createEventBus, type EventBus } from '../src/events.ts'
import { registerMatchCall } from '../src/http/calls/matches.ts'
import { registerMediaCalls } from '../src/http/calls/media.ts'
import { registerLibraryCalls } from '../src/http/calls/library.ts'
import { registerMusicCalls } from '../src/http/calls/music.ts'
import { createOriginRule } from '../src/http/origin.ts'
import { closeServer } from '../src/http/close-server.ts'
import { createServer } from '../src/http/server.ts'
import { type MusicLibrary, openLibrary } from '../src/library/music-library.ts'
import { createLimiters } from '../src/limits/rate-limits.ts'
import { createMemoryPresence } from '../src/presence/presence-memory.ts'
import { createSpotify } from '../src/providers/spotify/spotify.ts'
import { openYoutube } from '../src/providers/youtube/youtube.ts'
import { lendDatabase } from './databases.ts'
import { makeFolder, makeLastingFolder, removeFolder, writeIn } from './folders.ts'
import { idOf, makeOld } from './music.ts'
import { tinyPng } from './wav.ts'

interface RequestOptions {
  /** The id of the user who asks; nobody is signed in without. */
  user?: string
  method?: string
  headers?: Record<string, string>
}

/** The HTTP server with the music library, scanned, and nothing else. */
export interface MusicServer {
  address: string
  httpServer: Server
  db: Db
  events: EventBus
  musicDir: string
  library: MusicLibrary
  request: (path: string, options?: RequestOptions) => Promise<Response>
}

type Fill = (musicDir: string) => Promise<unknown>

interface MusicServerOptions {
  audioAnswersMax?: number
}

/** Listens until the test is over. `fill` puts the music into the folder before it is scanned. */
export async function startMusicServer(
  fill: Fill,
  env: Record<string, string> = {},
  options: MusicServerOptions = {},
): Promise<MusicServer> {
  const [musicDir, dataDir] = [await makeFolder(), await makeFolder()]
  const variables = { MUSIC_DIR: musicDir, DATA_DIR: dataDir, ...env }
  const { server, close } = await openMusicServer(fill, variables, options)
  onTestFinished(close)
  return server
}

/**
 * Starts one such server for all tests of a suite, which leave it as it was; call it where the suite is described. Its
 * members are there from the suite's own `beforeAll` on.
 */
export function shareMusicServer(fill: Fill): MusicServer {
  const shared = {} as MusicServer
  beforeAll(async () => {
    const [musicDir, dataDir] = [await makeLastingFolder(), await makeLastingFolder()]
    const { server, close } = await openMusicServer(fill, { MUSIC_DIR: musicDir, DATA_DIR: dataDir }, {})
    Object.assign(shared, server)
    return async () => {
      await close()
      for (const folder of [musicDir, dataDir]) await removeFolder(folder)
    }
  })
  return shared
}

/** A server with a track that plays in a room with one member, `member`. */
export interface TrackRoom extends MusicServer {
  trackId: string
  /** The paths of the track's audio and cover. */
  audio: string
  art: string
}

/** `sound` is the track's file, titled 'Long'. */
export async function startTrackRoom(
  sound: Uint8Array,
  env: Record<string, string> = {},
): Promise<TrackRoom> {
  return await addTrackRoom(await startMusicServer(addTrack(sound), env))
}

/** Starts one for all tests of a suite, as `shareMusicServer` does. */
export function shareTrackRoom(sound: Uint8Array): TrackRoom {
  const server = shareMusicServer(addTrack(sound))
  const shared = {} as TrackRoom
  beforeAll(async () => void Object.assign(shared, await addTrackRoom(server)))
  return shared
}

const addTrack =
  (sound: Uint8Array): Fill =>
  async (musicDir) => {
    await writeIn(musicDir, 'Some folder/#1 50% ü?.wav', sound)
    await writeIn(musicDir, 'Some folder/cover.png', tinyPng)
  }

async function addTrackRoom(server: MusicServer): Promise<TrackRoom> {
  const trackId = await idOf(server.db, 'Long')
  await addRoom(server.db, 'room', { members: ['member'], current: trackId })
  return { ...server, trackId, audio: trackAudioPath(trackId), art: trackArtPath(trackId) }
}

async function openMusicServer(
  fill: Fill,
  variables: { MUSIC_DIR: string; DATA_DIR: string },
  { audioAnswersMax }: MusicServerOptions,
): Promise<{ server: MusicServer; close: () => Promise<void> }> {
  const { MUSIC_DIR: musicDir, DATA_DIR: dataDir } = variables
  await fill(musicDir)
  for (const path of await readdir(musicDir, { recursive: true })) await makeOld(join(musicDir, path))
  const parts = {
    env: parseEnv(variables),
    logger: pino({ level: 'silent' }),
  }
  const { db, giveBack } = await lendDatabase()
  const server = await createServer({
    securityLog: { record: () => undefined },
    ...parts,
    originRule: createOriginRule(parts.env),
    resolveSession: async (cookies) => sessionOf(cookies ?? null),
    sessionKeyOf: () => null,
    redis: null,
  })
  const events = createEventBus(parts.logger)
  const libraryParts = { db, clock: systemClock, logger: parts.logger, musicDir, dataDir }
  const { library, provider, ...media } = openLibrary(libraryParts)
  const providerParts = { ...parts, db, clock: systemClock, secret: 'only for tests', redis: null }
  const spotify = createSpotify({ ...providerParts, origin: () => address })
  const otherProviders = [spotify.provider, openYoutube(providerParts).provider]
  const libraryRule = createLibraryRule(db, parts.env.libraryAccess)
  const limiters = createLimiters()
  registerMusicCalls(server, {
    db,
    library: provider,
    otherProviders,
    limiters,
    libraryRule,
  })
  registerLibraryCalls(server, { db, library, libraryRule, limiters, waveforms: media.waveforms })
  registerMatchCall(server, { db, libraryRule, limiters })
  const presence = createMemoryPresence(systemClock)
  const audioAccess = createAudioAccess({ db, clock: systemClock, events, libraryRule, presence })
  const coverGrants = createCoverGrants(providerParts)
  registerMediaCalls(server, { db, events, audioAccess, coverGrants, audioAnswersMax, ...media })
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  const close = async (): Promise<void> => {
    await closeServer(server)
    await library.close()
    await media.waveforms.close()
    await media.coverArt.close()
    await media.seekableAudio.close()
    await media.indexing.close()
    await media.openFiles.close()
    await giveBack()
  }
  await library.rescan()
  const musicServer: MusicServer = {
    address,
    httpServer: server.server,
    db,
    events,
    musicDir,
    library,
    request: (path, { user, method = 'GET', headers = {} } = {}) =>
      fetch(`${address}${path}`, {
        method,
        headers: user ? { ...headers, cookie: `user=${user}` } : headers,
      }),
  }
  return { server: musicServer, close }
}

function sessionOf(cookie: string | null) {
  const id = /user=(\w+)/.exec(cookie ?? '')?.[1]
  return id === undefined
    ? null
    : {
        id,
        user: {
          id,
          email: `${id}@example.org`,
          name: 'listener',
          username: id,
          avatarUrl: null,
          isGuest: false,
          isAdmin: false,
        },
      }
}

/** A room, with who is in it and what it plays and has in its queue, by their ids. */
export async function addRoom(
  db: Db,
  id: string,
  room: { isPublic?: boolean; members?: string[]; current?: string | null; queued?: string[] },
): Promise<void> {
  const { isPublic = true, members = [], current = null, queued = [] } = room
  const row = {
    id,
    name: id,
    owner_id: 'owner',
    password: null,
    preferred_source: 'library',
    playback_state: '{}',
    settings: '{}',
    controller_id: null,
    search_text: '',
  }
  const numbers = { is_playing: 1, current_position: 0, last_updated: 1, sequence_number: 1, created_at: 1 }
  await db
    .insertInto('rooms')
    .values({ ...row, ...numbers, is_public: isPublic ? 1 : 0, current_track_id: current, due_at: null })
    .execute()
  for (const [position, trackId] of queued.entries()) {
    const entry = { entry_id: `${id}-${position}`, room_id: id, track_id: trackId, position }
    await db
      .insertInto('room_tracks')
      .values({ ...entry, added_by: null, added_at: 1 })
      .execute()
  }
  for (const userId of members) {
    await db.insertInto('user_rooms').values({ user_id: userId, room_id: id, joined_at: 1 }).execute()
  }
}

import { rename } from 'node:fs/promises'
import { createFakeClock, type FakeClock } from '@earshot/core/testing/fake-clock'
import { makeTrack } from '@earshot/core/testing/tracks'
import { trackAudioPath } from '@earshot/core/protocol/media-paths'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { borrowDatabase } from '../../test/databases.ts'
import { writeIn } from '../../test/folders.ts'
import { idOf } from '../../test/music.ts'
import { addRoom, startMusicServer } from '../../test/music-server.ts'
import { startPostgres } from '../../test/postgres.ts'
import { makeWav } from '../../test/wav.ts'
import type { Session } from '../auth/session.ts'
import { type Db, openDatabase } from '../db/database.ts'
import { upsertLibraryFiles } from '../db/catalogue/library-files.ts'
import { makeFile } from '../db/testing/library-rows.ts'
import { upsertTracks } from '../db/tracks.ts'
import { createEventBus, type EventBus, type BusEvents } from '../events.ts'
import { createMemoryPresence } from '../presence/presence-memory.ts'
import { type Presence, httpHolderId } from '../presence/presence.ts'
import { isUnavailable } from '../unavailable.ts'
import { type AudioAccess, createAudioAccess } from './audio-access.ts'
import { createLibraryRule } from './library-access.ts'
import { serverLimits } from '../server-limits.ts'

interface Opened {
  access: AudioAccess
  db: Db
  events: EventBus
  clock: FakeClock
  presence: Presence
  /** Asks as a member; resolves to the path of the file. */
  ask: (cookie?: string) => Promise<string>
  /** How often a session was looked up. */
  lookUps: () => number
}

/** A member in a room that plays a track of the library. */
async function open(databaseUrl: string | null = null): Promise<Opened> {
  const db = databaseUrl === null ? await borrowDatabase() : await openDatabase({ databaseUrl, dataDir: '' })
  onTestFinished(() => db.destroy())
  const track = makeTrack('track')
  await upsertTracks(db, [{ ...track, source: 'library' }], 1)
  await upsertLibraryFiles(db, [makeFile(track, 'a.mp3')])
  await addRoom(db, 'room', { members: ['ann', 'ben'], current: 'track' })
  const events = createEventBus(pino({ level: 'silent' }))
  const clock = createFakeClock()
  const libraryRule = createLibraryRule(db, 'everyone')
  const presence = createMemoryPresence(clock)
  const access = createAudioAccess({ db, events, libraryRule, clock, presence })
  let lookUps = 0
  const resolveSession = async (cookies: string | undefined): Promise<Session | null> => {
    lookUps += 1
    const id = cookies?.split(';')[0] ?? ''
    return ['ann', 'ben'].includes(id) ? makeSession(id) : null
  }
  const ask = async (cookie = 'ann'): Promise<string> =>
    (await access.require({ headers: { cookie }, trackId: 'track', resolveSession })).file.path
  return { access, db, events, clock, presence, ask, lookUps: () => lookUps }
}

function makeSession(id: string): Session {
  const user = { id, email: '', name: id, username: id, avatarUrl: null, isGuest: false, isAdmin: false }
  return { id: `session of ${id}`, user }
}

it('16.86 a listener is looked up once, and again after half a minute', async () => {
  const { ask, clock, lookUps } = await open()
  for (let range = 0; range < 5; range += 1) expect(await ask()).toBe('a.mp3')
  expect(lookUps()).toBe(1)
  clock.advance(29_999)
  await ask()
  expect(lookUps()).toBe(1)
  clock.advance(1)
  await ask()
  expect(lookUps()).toBe(2)
})

it('16.295 a member who only calls over HTTP stays while they stream, and for a minute after that', async () => {
  const { ask, clock, presence } = await open()
  const key = { roomId: 'room', userId: 'ann', holderId: httpHolderId }
  const member = { id: 'ann', username: 'ann', avatar_url: null, is_owner: false }
  await presence.acquire([{ ...key, member, isConnected: false }], serverLimits.httpPresenceLeaseMs)
  for (let range = 0; range < 9; range += 1) {
    clock.advance(20_000)
    expect(await presence.expire()).toEqual([])
    await ask()
  }
  clock.advance(serverLimits.httpPresenceLeaseMs)
  expect(await presence.expire()).toEqual([{ roomId: 'room', userId: 'ann' }])
  await ask()
  expect(await presence.countMembers('room')).toBe(0)
})

it('16.86 what is refused is looked up each time', async () => {
  const { ask, lookUps } = await open()
  await expect(ask('nobody')).rejects.toMatchObject({ code: 'unauthenticated' })
  await expect(ask('nobody')).rejects.toMatchObject({ code: 'unauthenticated' })
  expect(lookUps()).toBe(2)
})

const remote = { isRemote: true } as const
const endings: [string, keyof BusEvents, object][] = [
  ['signs out', 'sessionEnded', { sessionId: 'session of ann', ...remote }],
  ['is banned', 'userRemoved', { roomId: 'room', userId: 'ann', reason: 'banned', ...remote }],
  ['leaves', 'userRemoved', { roomId: 'room', userId: 'ann', reason: 'left', ...remote }],
  ['may do something else', 'rightsChanged', { userId: 'ann' }],
  ['is in a room that closes', 'roomClosed', { roomId: 'room', reason: 'deleted', ...remote }],
]
it.each(endings)('16.86 who %s is looked up again at once, and nobody else', async (_text, name, event) => {
  const { ask, db, events, lookUps } = await open()
  await ask('ann')
  await ask('ben')
  await db.deleteFrom('user_rooms').where('user_id', '=', 'ann').execute()
  await events.emit(name, event as never)
  await expect(ask('ann')).rejects.toMatchObject({ code: 'not_a_member' })
  const before = lookUps()
  await ask('ben')
  expect(lookUps() - before).toBe(name === 'roomClosed' ? 1 : 0)
})

it('16.86 a track that left the room is refused at once; playing and pausing change nothing', async () => {
  const { ask, db, events, lookUps } = await open()
  const queueEdit = { before: { track: { id: 'track' } }, state: { track: { id: 'track' } } }
  const commit = (name: 'roomCommitted' | 'tracksChanged') =>
    events.emit(name, { roomId: 'room', outcome: queueEdit } as never)
  await ask()
  await commit('roomCommitted')
  await ask()
  expect(lookUps()).toBe(1)
  await commit('tracksChanged')
  await ask()
  expect(lookUps()).toBe(2)
  await db.updateTable('rooms').set({ current_track_id: null }).execute()
  await commit('tracksChanged')
  await expect(ask()).rejects.toMatchObject({ code: 'not_a_member' })
})

it('17.464 the track that was current is served for 10 s more, to who had it: it may sound to its end', async () => {
  const { ask, events, lookUps, clock, db } = await open()
  await ask()
  await db.updateTable('rooms').set({ current_track_id: null }).execute()
  const outcome = { before: { track: { id: 'track' } }, state: { track: null } }
  await events.emit('tracksChanged', { roomId: 'room', outcome } as never)
  clock.advance(9_999)
  await ask()
  expect(lookUps()).toBe(1)
  await expect(ask('ben')).rejects.toMatchObject({ code: 'not_a_member' })
  clock.advance(1)
  await expect(ask()).rejects.toMatchObject({ code: 'not_a_member' })
})

it('16.86 who is banned while being looked up is not let in for longer', async () => {
  const { ask, events, lookUps } = await open()
  const asking = ask()
  await events.emit('userRemoved', { roomId: 'room', userId: 'ann', reason: 'banned', ...remote })
  await asking
  await ask()
  expect(lookUps()).toBe(2)
})

it('16.86 a long cookie is looked up each time, so that it fills no memory', async () => {
  const { ask, lookUps } = await open()
  const long = `ann;${'x'.repeat(2_000)}`
  await ask(long)
  await ask(long)
  expect(lookUps()).toBe(2)
})

const minuteMs = 60_000

it('16.206 while PostgreSQL is away, a listener goes on hearing for minutes, unless an event has ended it', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const { ask, events, clock, lookUps } = await open(postgres.url)
  for (const name of ['ann', 'ben']) await ask(name)
  await postgres.halt('fast')
  clock.advance(minuteMs)
  expect(await ask('ann')).toBe('a.mp3')
  // Not with every range.
  const before = lookUps()
  expect(await ask('ann')).toBe('a.mp3')
  expect(lookUps()).toBe(before)
  await events.emit('sessionEnded', { sessionId: 'session of ben', ...remote })
  await expect(ask('ben')).rejects.toSatisfy(isUnavailable)
  clock.advance(10 * minuteMs)
  await expect(ask('ann')).rejects.toSatisfy(isUnavailable)
})

it('16.206 while PostgreSQL hangs, a listener waits a second for it; what it answers later counts', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const { ask, db, clock } = await open(postgres.url)
  await ask()
  await db.deleteFrom('user_rooms').execute()
  postgres.pause()
  onTestFinished(() => postgres.resume())
  clock.advance(minuteMs)
  const asking = ask()
  await clock.advanceAsync(1_000)
  expect(await asking).toBe('a.mp3')
  postgres.resume()
  await vi.waitFor(() => expect(ask()).rejects.toMatchObject({ code: 'not_a_member' }))
})

it('16.86 a file that was renamed is found by the next range', async () => {
  const { request, db, library, musicDir } = await startMusicServer((folder) =>
    writeIn(folder, 'one.wav', makeWav({ title: 'One' })),
  )
  const trackId = await idOf(db, 'One')
  await addRoom(db, 'room', { members: ['member'], current: trackId })
  const ask = async () => (await request(trackAudioPath(trackId), { user: 'member', method: 'HEAD' })).status
  expect(await ask()).toBe(200)
  await rename(`${musicDir}/one.wav`, `${musicDir}/two.wav`)
  await library.rescan()
  expect(await ask()).toBe(200)
})

import { chmod, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { trackAudioPath } from '@earshot/core/protocol/media-paths'
import { createFakeClock, type FakeClock } from '@earshot/core/testing/fake-clock'
import { describe, expect, it, vi } from 'vitest'
import { upsertLibraryFiles } from '../src/db/catalogue/library-files.ts'
import { makeFile } from '../src/db/testing/library-rows.ts'
import { type TestApp, startApp } from './apps.ts'
import { asOrdinaryUser, makeFolder, writeIn } from './folders.ts'
import { joinAs, openJoinedRoom, storeTracks, type TestClient, type TestRoom } from './sockets.ts'

/** Scans overlook hidden names, so that no scan changes what a test has stored. */
const pathOf = (trackId: string): string => `.${trackId}`

/** A server with a music folder that has only the files of `t1` ... of these numbers, and a scan that is over. */
async function startWithFiles(
  numbers: number[],
): Promise<{ app: TestApp; musicDir: string; clock: FakeClock }> {
  const musicDir = await makeFolder()
  // Before it is watched.
  await chmod(musicDir, 0o755)
  await writeIn(musicDir, 'notes.txt', 'The folder is never empty')
  for (const number of numbers) await writeIn(musicDir, pathOf(`t${number}`), 'sound')
  // The clock stands still, so the folder is scanned only once.
  const clock = createFakeClock()
  const app = await startApp({ variables: { MUSIC_DIR: musicDir }, clock })
  return { app, musicDir, clock }
}

/** Opens a room whose tracks are files of the library, whether they exist or not. */
async function openLibraryRoom(
  app: TestApp,
  trackCount: number,
): Promise<TestRoom & { listener: TestClient }> {
  const room = await openJoinedRoom(app, { trackCount: 0 })
  const tracks = await storeTracks(app.db, trackCount)
  await room.owner.ask('queue_updated', { roomId: room.id, queue: tracks.map(({ id }) => ({ id })) })
  const listener = await joinAs(app, room.id, 'listener')
  const isScanning = async () =>
    (await app.call<{ isScanning: boolean }>(room.owner.user, 'GET', '/api/library')).isScanning
  await vi.waitFor(async () => expect(await isScanning()).toBe(false))
  await upsertLibraryFiles(
    app.db,
    tracks.map((track) => makeFile(track, pathOf(track.id))),
  )
  return { ...room, listener }
}

const askForAudio = (app: TestApp, { user }: TestClient, trackId: string): Promise<Response> =>
  fetch(app.address + trackAudioPath(trackId), { headers: { cookie: user.cookie } })

const readRoom = async ({ id: roomId, owner }: TestRoom) => {
  const { state, queue } = await owner.ask('request_sync', { roomId })
  return { current: state.track_id, isCueing: state.cueing, queue: queue.map((entry) => entry.id) }
}

describe('a track whose file is gone', () => {
  it('10.13a, 10.13b is left for the next one with a file, in one change and with one notice', async () => {
    const { app } = await startWithFiles([1, 900, 901])
    const room = await openLibraryRoom(app, 901)
    await room.owner.ask('direct_command', { roomId: room.id, command: 'play' })
    room.listener.forget()
    const before = (await room.owner.ask('request_sync', { roomId: room.id })).state.sequence_number

    await room.owner.ask('direct_command', { roomId: room.id, command: 'next' })
    const skipped = await room.listener.hear('track_unavailable')
    expect(skipped).toEqual({ roomId: room.id, title: 'Title of t2', count: 898 })
    expect(await readRoom(room)).toEqual({ current: 't900', isCueing: true, queue: ['t901'] })
    const { state } = await room.owner.ask('request_sync', { roomId: room.id })
    expect(state.sequence_number).toBe(before + 2)
    expect(room.listener.all('track_unavailable')).toHaveLength(1)
  })

  it('10.13a is left when a member finds its audio missing, however often', async () => {
    const { app, musicDir } = await startWithFiles([1, 2])
    const room = await openLibraryRoom(app, 2)
    await rm(join(musicDir, pathOf('t1')))
    const answers = await Promise.all(Array.from({ length: 30 }, () => askForAudio(app, room.listener, 't1')))
    for (const { status } of answers) expect([403, 404]).toContain(status)
    await room.listener.hear('track_unavailable', ({ title }) => title === 'Title of t1')
    expect(await readRoom(room)).toEqual({ current: 't2', isCueing: false, queue: [] })
    expect(room.listener.all('track_unavailable')).toHaveLength(1)
  })

  it('10.13a is left when a scan has found its file gone', async () => {
    const { app } = await startWithFiles([2])
    const room = await openLibraryRoom(app, 2)
    await app.db.updateTable('library_files').set({ missing_since: 1 }).where('track_id', '=', 't1').execute()
    await askForAudio(app, room.listener, 't1')
    await room.listener.hear('track_unavailable', ({ title }) => title === 'Title of t1')
    expect(await readRoom(room)).toMatchObject({ current: 't2', queue: [] })
  })

  async function playFirst() {
    const server = await startWithFiles([1, 2])
    const room = await openLibraryRoom(server.app, 2)
    await room.owner.ask('direct_command', { roomId: room.id, command: 'play' })
    const path = join(server.musicDir, pathOf('t1'))
    return { ...server, room, path, ask: () => askForAudio(server.app, room.listener, 't1') }
  }

  it('17.176 is not left while it plays and may have been renamed, and left after 5 s', async () => {
    const { clock, room, path, ask } = await playFirst()
    await rm(path)
    expect((await ask()).status).toBe(404)
    await clock.advanceAsync(4_000)
    await ask()
    expect(await readRoom(room)).toMatchObject({ current: 't1' })
    // No faster than a room may be read.
    const interval = 500
    await vi.waitFor(
      async () => {
        await clock.advanceAsync(interval)
        expect(await readRoom(room)).toMatchObject({ current: 't2' })
      },
      { interval },
    )
  })

  it('17.176 stays where a scan finds its file under another name', async () => {
    const { app, clock, room, musicDir, path, ask } = await playFirst()
    await rename(path, join(musicDir, '.renamed'))
    expect((await ask()).status).toBe(404)
    await clock.advanceAsync(1_000)
    // As a scan does.
    await app.db.updateTable('library_files').set({ path: '.renamed' }).where('track_id', '=', 't1').execute()
    expect((await ask()).status).toBe(200)
    for (let second = 0; second < 30; second += 1) await clock.advanceAsync(1_000)
    expect(await readRoom(room)).toMatchObject({ current: 't1' })
    expect(room.listener.all('track_unavailable')).toEqual([])
  })

  it('17.310 cannot be read: the request says so', async () => {
    const { path, ask } = await playFirst()
    await chmod(path, 0)
    const answer = await asOrdinaryUser(ask)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: { message: "This track's file cannot be read" } })
  })

  it('10.13a leaves a room without further tracks empty', async () => {
    const { app } = await startWithFiles([])
    const room = await openLibraryRoom(app, 3)
    await askForAudio(app, room.owner, 't1')
    expect(await room.listener.hear('track_unavailable')).toMatchObject({ count: 3 })
    expect(await readRoom(room)).toEqual({ current: null, isCueing: false, queue: [] })
  })

  it('10.13c is not left while the folder is empty or missing, as if its disk was not mounted', async () => {
    const { app, musicDir } = await startWithFiles([])
    const room = await openLibraryRoom(app, 2)
    for (const path of ['notes.txt', '']) {
      await rm(join(musicDir, path), { recursive: true })
      expect((await askForAudio(app, room.owner, 't1')).status).toBe(404)
      expect(await readRoom(room)).toMatchObject({ current: 't1', queue: ['t2'] })
    }
    expect(room.listener.all('track_unavailable')).toEqual([])
  })

  it('is not left by the question of somebody who is no member', async () => {
    const { app } = await startWithFiles([])
    const room = await openLibraryRoom(app, 2)
    const other = await joinAs(app, (await openJoinedRoom(app, { trackCount: 0 })).id, 'other')
    expect((await askForAudio(app, other, 't1')).status).toBe(403)
    expect(await readRoom(room)).toMatchObject({ current: 't1' })
  })
})

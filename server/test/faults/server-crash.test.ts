import type { PlaybackState } from '@earshot/core/protocol/entities'
import { describe, expect, it, vi } from 'vitest'
import { type DatabaseOptions, openDatabase } from '../../src/db/database.ts'
import { type TestUser, signUpOverHttp } from '../apps.ts'
import { ask } from '../ask.ts'
import { type ServerProcess, runServer } from '../children/run-server.ts'
import { makeFolder } from '../folders.ts'
import { makeSharedEngines } from '../two-servers.ts'
import { type TestClient, connect, storeTracks } from '../sockets.ts'

/** How long a room may take to move on by itself: its sweep, its cue, and a machine that is busy. */
const patience = { timeout: 25_000, interval: 50 }

async function fillDatabase(options: DatabaseOptions, count: number, durationMs?: number): Promise<void> {
  const db = await openDatabase(options)
  await storeTracks(db, count, durationMs)
  await db.destroy()
}

async function createRoom({ address }: ServerProcess, { cookie }: TestUser): Promise<string> {
  const headers = { cookie, origin: address }
  const answer = await ask(`${address}/api/rooms`, { method: 'POST', headers, body: { name: 'Room' } })
  return (answer.json as { id: string }).id
}

async function join(server: ServerProcess, user: TestUser, roomId: string): Promise<TestClient> {
  const client = await connect(server, user)
  await client.ask('join_room', { roomId })
  return client
}

/** Waits until the room plays a track, as a member who asks is told. */
function waitUntilPlaying(client: TestClient, roomId: string, trackId: string): Promise<PlaybackState> {
  return vi.waitFor(async () => {
    const { state } = await client.ask('request_sync', { roomId })
    expect(state).toMatchObject({ track_id: trackId, is_playing: true })
    return state
  }, patience)
}

/** Adds tracks one after the other until the server is gone; notes the entries that were acknowledged. */
async function addUntilGone(client: TestClient, roomId: string, acknowledged: Set<string>): Promise<void> {
  while (client.socket.connected) {
    try {
      const { queue } = await client.ask('queue_updated', { roomId, queue: [{ id: 't1' }, { id: 't2' }] })
      for (const entry of queue) acknowledged.add(entry.entry_id)
    } catch {
      // Gone in the middle, or too fast for the limit: what was not acknowledged need not be there.
    }
  }
}

describe('a server that is killed in the middle of queue writes', () => {
  it(
    '7.5b has every acknowledged entry when it is back, at positions 0 to n-1',
    { timeout: 240_000 },
    async () => {
      const [dataDir, musicDir] = [await makeFolder(), await makeFolder()]
      await fillDatabase({ databaseUrl: null, dataDir }, 2)
      const acknowledged = new Set<string>()
      const start = () => runServer({ DATA_DIR: dataDir, MUSIC_DIR: musicDir })
      let server = await start()
      const users = await Promise.all(['ann', 'ben', 'cem'].map((name) => signUpOverHttp(server, name)))
      const roomId = await createRoom(server, users[0]!)

      for (let round = 0; round < 3; round++) {
        const clients = await Promise.all(users.map((user) => connect(server, user)))
        for (const client of clients) await client.ask('join_room', { roomId })
        const before = acknowledged.size
        const writing = clients.map((client) => addUntilGone(client, roomId, acknowledged))
        await expect
          .poll(() => acknowledged.size, { timeout: 20_000, interval: 1 })
          .toBeGreaterThan(before + 20)
        await server.kill()
        await Promise.all(writing)

        server = await start()
        const [back] = await Promise.all(users.slice(0, 1).map((user) => connect(server, user)))
        const { queue } = await back!.ask('join_room', { roomId })
        const ids = new Set(queue.map((entry) => entry.entry_id))
        expect([...acknowledged].filter((id) => !ids.has(id))).toEqual([])
        expect(queue.map((entry) => entry.position)).toEqual(queue.map((_, index) => index))
        back!.close()
      }
    },
  )
})

describe('a room whose server is killed', () => {
  it(
    '1.2c, 4.13b starts the track that was cued when the server is back, with nobody there to ask for it',
    { timeout: 240_000 },
    async () => {
      const [dataDir, musicDir] = [await makeFolder(), await makeFolder()]
      await fillDatabase({ databaseUrl: null, dataDir }, 2)
      const before = await runServer({ DATA_DIR: dataDir, MUSIC_DIR: musicDir })
      const owner = await signUpOverHttp(before, 'owner')
      const roomId = await createRoom(before, owner)
      const client = await join(before, owner, roomId)
      await client.ask('queue_updated', { roomId, queue: [{ id: 't1' }, { id: 't2' }] })
      await client.ask('direct_command', { roomId, command: 'play' })
      const { state: cued } = await client.ask('direct_command', { roomId, command: 'next' })
      expect(cued).toMatchObject({ track_id: 't2', is_playing: false, cueing: true })
      await before.kill()

      const after = await runServer({ DATA_DIR: dataDir, MUSIC_DIR: musicDir })
      const readRoom = async () => (await ask(`${after.address}/api/rooms/${roomId}`)).json
      await vi.waitFor(
        async () =>
          expect(await readRoom()).toMatchObject({ room: { current_track_id: 't2', is_playing: true } }),
        patience,
      )
    },
  )

  it(
    '1.2c, 4.16a plays on by another process, and its owner comes back there and controls it',
    { timeout: 240_000 },
    async () => {
      const engines = await makeSharedEngines()
      const musicDir = await makeFolder()
      await fillDatabase({ databaseUrl: engines.databaseUrl, dataDir: musicDir }, 3, 60_000)
      const start = async (): Promise<ServerProcess> =>
        runServer({
          DATA_DIR: await makeFolder(),
          MUSIC_DIR: musicDir,
          DATABASE_URL: engines.databaseUrl,
          REDIS_URL: engines.redisUrl,
          SECRET: 'a secret that both processes know, and long enough',
        })
      const [first, second] = await Promise.all([start(), start()])
      const [ownerUser, annUser] = [await signUpOverHttp(first, 'owner'), await signUpOverHttp(second, 'ann')]
      const roomId = await createRoom(first, ownerUser)
      const owner = await join(first, ownerUser, roomId)
      const ann = await join(second, annUser, roomId)
      await owner.ask('queue_updated', { roomId, queue: ['t1', 't2', 't3'].map((id) => ({ id })) })
      await owner.ask('direct_command', { roomId, command: 'seek', position: 58_000 })
      const { state: played } = await owner.ask('direct_command', { roomId, command: 'play' })
      await first.kill()

      const next = await waitUntilPlaying(ann, roomId, 't2')
      expect(next.timestamp).toBeGreaterThanOrEqual(played.timestamp + 2_000)
      const heard = ann.all('playback_updated').filter(({ state }) => state.track_id === 't2')
      // A requested state comes as an event as well.
      const playingBySequence = new Map(heard.map(({ state }) => [state.sequence_number, state.is_playing]))
      expect([...playingBySequence.values()]).toEqual([false, true])

      const back = await join(second, ownerUser, roomId)
      expect(await back.ask('direct_command', { roomId, command: 'pause' })).toMatchObject({ applied: true })
      await ann.hear(
        'direct_command',
        ({ command, sender_id }) => command === 'pause' && sender_id === ownerUser.id,
      )
      const { state: seeked } = await back.ask('direct_command', { roomId, command: 'seek', position: 9_000 })
      expect(seeked).toMatchObject({ track_id: 't2', is_playing: false, current_position: 9_000 })
    },
  )
})

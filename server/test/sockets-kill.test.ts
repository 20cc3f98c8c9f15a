import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../src/db/database.ts'
import { makeDataDir, signUp } from './apps.ts'
import { findFreePort } from './free-port.ts'
import { type TestClient, connect, storeTracks } from './sockets.ts'

const main = join(import.meta.dirname, '..', 'src', 'main.ts')

/** A server in a process of its own, which can be killed. */
interface ServerProcess {
  address: string
  atEnd(run: () => void): void
  kill(): Promise<void>
}

async function startProcess(dataDir: string, musicDir: string): Promise<ServerProcess> {
  const port = await findFreePort()
  const child: ChildProcess = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: dataDir,
      MUSIC_DIR: musicDir,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(kill)
  for await (const chunk of child.stdout ?? []) {
    if (String(chunk).includes('ready')) break
  }
  return { address: `http://127.0.0.1:${port}`, atEnd: () => {}, kill }
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
    { timeout: 90_000 },
    async () => {
      const [dataDir, musicDir] = [await makeDataDir(), await makeDataDir()]
      const db = await openDatabase({ databaseUrl: null, dataDir })
      await storeTracks(db, 2)
      await db.destroy()

      const acknowledged = new Set<string>()
      let server = await startProcess(dataDir, musicDir)
      const users = await Promise.all(['ann', 'ben', 'cem'].map((name) => signUp(server, name)))
      const answer = await fetch(`${server.address}/api/rooms`, {
        method: 'POST',
        headers: { cookie: users[0]!.cookie, 'content-type': 'application/json', origin: server.address },
        body: JSON.stringify({ name: 'Room' }),
      })
      const { id: roomId } = (await answer.json()) as { id: string }

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

        server = await startProcess(dataDir, musicDir)
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

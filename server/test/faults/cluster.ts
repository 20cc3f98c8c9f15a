import pLimit from 'p-limit'
import { onTestFinished, vi } from 'vitest'
import { startBalancer } from '../../../tools/cluster-balancer.ts'
import { type DatabaseOptions, type Db, openDatabase } from '../../src/db/database.ts'
import { type TestUser, signUp } from '../apps.ts'
import { ask } from '../ask.ts'
import { type ServerProcess, runServer } from '../children/run-server.ts'
import { makeFolder } from '../folders.ts'
import { type PostgresEngine, startPostgres } from '../postgres.ts'
import { type RedisEngine, startRedis } from '../redis.ts'
import { type TestClient, connect, storeTracks } from '../sockets.ts'
import { secret } from './crowd.ts'

/** Three servers in processes of their own, with a PostgreSQL and a Redis of their own. */
export interface TestCluster {
  servers: [ServerProcess, ServerProcess, ServerProcess]
  postgres: PostgresEngine
  redis: RedisEngine
  options: DatabaseOptions
  /** The environment of all servers, for another one. */
  variables: Record<string, string>
  /** Inserts an account with a session. */
  signUp(name: string): Promise<TestUser>
  /** Makes a room with tracks of 10 minutes over HTTP, and resolves to its id. */
  makeRoom(owner: TestUser): Promise<string>
}

/** `rewrite` returns other addresses of the engines for one of the servers, as of a proxy. */
export async function startCluster(
  rewrite: (
    variables: Record<string, string>,
    index: number,
  ) => Promise<Record<string, string>> = async () => ({}),
): Promise<TestCluster> {
  const [postgres, redis] = await Promise.all([startPostgres({ isDurable: true }), startRedis()])
  onTestFinished(() => postgres.stop())
  onTestFinished(() => redis.stop())
  const dataDir = await makeFolder()
  const variables = {
    DATA_DIR: dataDir,
    MUSIC_DIR: await makeFolder(),
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    SECRET: secret,
    LOG_LEVEL: 'warn',
  }
  const start = async (index: number): Promise<ServerProcess> =>
    runServer({ ...variables, ...(await rewrite(variables, index)) })
  const options = { databaseUrl: postgres.url, dataDir }
  // The first one migrates.
  const first = await start(0)
  const [second, third] = await Promise.all([start(1), start(2)])
  const db = await openTestDatabase(options)
  const atATime = pLimit(5)
  return {
    servers: [first, second, third],
    postgres,
    redis,
    options,
    variables,
    signUp: (name) => atATime(() => signUp({ db, secret }, name)),
    async makeRoom({ cookie }) {
      const call = async (path: string, body: object): Promise<unknown> => {
        const headers = { cookie, origin: first.address }
        return (await ask(`${first.address}/api${path}`, { method: 'POST', headers, body })).json
      }
      const { id } = (await call('/rooms', { name: 'Room', isPublic: true })) as { id: string }
      await call(`/rooms/${id}/join`, {})
      for (const { id: trackId } of await storeTracks(db, 3, trackMs)) {
        await call(`/rooms/${id}/queue`, { trackId })
      }
      return id
    },
  }
}

/** Longer than any test. */
const trackMs = 600_000

/** A room of a cluster, with the owner on the first server, ann on the second and ben on the third. */
export interface SpreadRoom {
  roomId: string
  owner: TestClient
  /** The only one who is sent the differences of queues, and not whole ones. */
  ann: TestClient
  ben: TestClient
}

/** Makes a room that all three have joined. */
export async function openSpreadRoom(cluster: TestCluster): Promise<SpreadRoom> {
  const users = await Promise.all(['owner', 'ann', 'ben'].map((name) => cluster.signUp(name)))
  const roomId = await cluster.makeRoom(users[0]!)
  const clients = await Promise.all(cluster.servers.map((server, n) => connect(server, users[n]!)))
  const [owner, ann, ben] = clients as [TestClient, TestClient, TestClient]
  for (const client of clients) await client.ask('join_room', { roomId, queueDeltas: client === ann })
  return { roomId, owner, ann, ben }
}

/** Opens a database that closes with the test. */
export async function openTestDatabase(options: DatabaseOptions): Promise<Db> {
  const db = await openDatabase({ ...options, onConnectionError: () => {} })
  onTestFinished(() => db.destroy())
  return db
}

/** Starts a balancer in front of servers. Resolves to its address. */
export async function balance(targets: string[]): Promise<string> {
  const balancer = await startBalancer({ host: '127.0.0.1', port: 0, targets })
  onTestFinished(() => balancer.close())
  await balancer.ready()
  return `http://127.0.0.1:${balancer.port}`
}

/** Waits until a server is ready. Rejects where that takes longer than `withinMs`. */
export async function waitUntilReady({ address }: ServerProcess, withinMs: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const { status, text } = await ask(`${address}/readyz`)
      if (status !== 200) throw new Error(`Not ready: ${text}`)
    },
    { timeout: withinMs, interval: 200 },
  )
}

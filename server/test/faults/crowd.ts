import { AppError } from '@earshot/core/protocol/errors'
import pLimit from 'p-limit'
import { type DatabaseOptions, type Db, openDatabase } from '../../src/db/database.ts'
import { signUp } from '../apps.ts'
import type { ServerProcess } from '../children/run-server.ts'
import { type TestClient, connect } from '../sockets.ts'
import { ask } from '../ask.ts'

/** The secret of all server processes of the faults, so that sessions can be inserted without passwords. */
export const secret = 'a secret that the fault suite knows, and long enough'

/** The outcome of a burst of writes. */
interface BurstResult {
  acknowledgedIds: string[]
  /** The codes of the answered failures; `no_answer` where the connection ended or the answer did not come in time. */
  failures: string[]
}

export interface Crowd {
  clients: TestClient[]
  /** One for each ten clients, in their order. */
  roomIds: string[]
  /** Sends messages from everybody at once: `perMember` each, at most 5 in 3 s. */
  burst(perMember: number): Promise<BurstResult>
  /** Sends such messages, and runs `during` while they are in flight: once `afterCount` are acknowledged. */
  burstDuring(perMember: number, afterCount: number, during: () => Promise<void>): Promise<BurstResult>
  /** Returns the ids that are missing in the database. */
  findMissing(ids: string[]): Promise<string[]>
}

/** Connects members to one or several servers in turn, ten in each room. */
export async function gatherCrowd(
  servers: ServerProcess | [ServerProcess, ...ServerProcess[]],
  options: DatabaseOptions,
  count: number,
): Promise<Crowd> {
  const db = await openDatabase(options)
  const [first, ...others] = Array.isArray(servers) ? servers : [servers]
  const all = [first, ...others]
  // On a slow machine more of them would wait for a connection to PostgreSQL for longer than its pool lets them.
  const atATime = pLimit(10)
  try {
    const clients = await atATime.map(Array.from({ length: count }).keys(), async (n) =>
      connect(all[n % all.length] ?? first, await signUp({ db, secret }, `member${n}`)),
    )
    const roomIds = await joinRooms(first, clients)
    return {
      clients,
      roomIds,
      burst: (perMember) => sendBurst(clients, roomIds, perMember, () => {}),
      async burstDuring(perMember, afterCount, during) {
        const { promise: started, resolve } = Promise.withResolvers<void>()
        const onAcknowledged = (count: number): void => {
          if (count === afterCount) resolve()
        }
        const burst = sendBurst(clients, roomIds, perMember, onAcknowledged)
        await started
        await during()
        return burst
      },
      findMissing: (ids) => findMissing(options, ids),
    }
  } finally {
    await db.destroy()
  }
}

async function joinRooms({ address }: ServerProcess, clients: TestClient[]): Promise<string[]> {
  const roomIds: string[] = []
  for (const [n, client] of clients.entries()) {
    if (n % 10 === 0) {
      const headers = { cookie: client.user.cookie, origin: address }
      const answer = await ask(`${address}/api/rooms`, {
        method: 'POST',
        headers,
        body: { name: `Room ${n}` },
      })
      roomIds.push((answer.json as { id: string }).id)
    }
    await client.ask('join_room', { roomId: roomIds.at(-1) })
  }
  return roomIds
}

async function sendBurst(
  clients: TestClient[],
  roomIds: string[],
  perMember: number,
  onAcknowledged: (count: number) => void,
): Promise<BurstResult> {
  const result: BurstResult = { acknowledgedIds: [], failures: [] }
  const send = async (client: TestClient, roomId: string | undefined, n: number): Promise<void> => {
    try {
      const { message } = await client.ask('send_message', { roomId, message: `message ${n}` })
      onAcknowledged(result.acknowledgedIds.push(message.id))
    } catch (error) {
      result.failures.push(error instanceof AppError ? error.code : 'no_answer')
    }
  }
  await Promise.all(
    clients.flatMap((client, n) =>
      Array.from({ length: perMember }, (_, index) => send(client, roomIds[Math.floor(n / 10)], index)),
    ),
  )
  return result
}

async function findMissing(options: DatabaseOptions, ids: string[]): Promise<string[]> {
  const db: Db = await openDatabase(options)
  try {
    const rows = await db.selectFrom('messages').select('id').execute()
    const stored = new Set(rows.map(({ id }) => id))
    return ids.filter((id) => !stored.has(id))
  } finally {
    await db.destroy()
  }
}

import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { onTestFinished } from 'vitest'

/** The share of a session of PostgreSQL that a pooler lends: a transaction, or all of it for as long as the client stays. */
export type PoolMode = 'session' | 'transaction'

/** A pooler takes these parameters of a connection, and refuses others, as PgBouncer does by default. */
const knownParameters = ['user', 'database', 'client_encoding', 'application_name']

const protocolVersion = 196_608
const readyForQuery = 'Z'
const terminate = 'X'.charCodeAt(0)

interface Session {
  socket: Socket
  client: Socket | null
}

/**
 * Starts a pooler in front of PostgreSQL that behaves as PgBouncer: it answers the start of a connection itself, and
 * lends the session that was used last. Resolves to its address. Ends with the test.
 */
export async function startPooler(databaseUrl: string, mode: PoolMode): Promise<string> {
  const target = new URL(databaseUrl)
  const idle: Session[] = []
  const sockets = new Set<Socket>()
  const open = async (): Promise<Session> => {
    const socket = connect(Number(target.port), target.hostname)
    sockets.add(socket)
    const session: Session = { socket, client: null }
    const parameters = ['user', target.username, 'database', target.pathname.slice(1), '']
    socket.write(toStartup(parameters))
    const { promise: isReady, resolve } = Promise.withResolvers<void>()
    readMessages(socket, (type, message) => {
      const hasEnded = type === readyForQuery && message.at(-1) === 'I'.charCodeAt(0)
      const { client } = session
      client?.write(message)
      if (type === readyForQuery) resolve()
      if (hasEnded && client && mode === 'transaction') giveBack(client)
    })
    await isReady
    return session
  }
  const lent = new Map<Socket, Promise<Session>>()
  const lend = async (client: Socket): Promise<Session> => {
    const session = idle.pop() ?? (await open())
    session.client = client
    return session
  }
  const giveBack = (client: Socket): void => {
    const session = lent.get(client)
    lent.delete(client)
    void session?.then((returned) => {
      returned.client = null
      // PgBouncer resets a session before it lends it to another client.
      if (mode === 'session') returned.socket.destroy()
      else idle.push(returned)
    })
  }

  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => {})
    client.on('close', () => giveBack(client))
    client.once('data', (startup) => {
      const refused = listParameters(startup).find((name) => !knownParameters.includes(name))
      client.write(refused === undefined ? welcome : toError(`unsupported startup parameter: ${refused}`))
      client.on('data', (chunk) => {
        if (chunk[0] === terminate) return void client.end()
        const session = lent.get(client) ?? lend(client)
        lent.set(client, session)
        void session.then(({ socket }) => socket.write(chunk))
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const own = new URL(databaseUrl)
  own.port = String((server.address() as AddressInfo).port)
  return own.href
}

/** Calls `onMessage` for each whole message of a server. */
function readMessages(socket: Socket, onMessage: (type: string, message: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0)
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const length = rest.readInt32BE(1) + 1
      onMessage(String.fromCharCode(rest[0] ?? 0), rest.subarray(0, length))
      rest = rest.subarray(length)
    }
  })
}

function toStartup(parameters: string[]): Buffer {
  const text = Buffer.from(`${parameters.join('\0')}\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(8 + text.length, 0)
  head.writeInt32BE(protocolVersion, 4)
  return Buffer.concat([head, text])
}

/** Names and values alternate. */
function listParameters(startup: Buffer): string[] {
  const parts = startup.subarray(8).toString().split('\0')
  return parts.filter((part, index) => index % 2 === 0 && part !== '')
}

function toMessage(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5, type)
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}

const toError = (message: string): Buffer => toMessage('E', Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`))

/** Signed in, and ready for queries. */
const welcome = Buffer.concat([
  toMessage('R', Buffer.alloc(4)),
  toMessage('S', Buffer.from('client_encoding\0UTF8\0')),
  toMessage('Z', Buffer.from('I')),
])

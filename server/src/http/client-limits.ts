import { IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { connectionKey } from '../address-key.ts'
import type { Env } from '../env/env.ts'
import { createTally } from '../limits/tally.ts'
import type { SecurityLog } from '../ops/security-log.ts'
import { type AddressOf, createIsProxy } from './client-address.ts'

/** A page has one WebSocket, and up to six connections of HTTP while it loads. */
const connectionsPerSocket = 5

/**
 * Bounds the connections of each address and what one connection may ask for at a time. To be called once all listeners of
 * requests are there.
 */
export function limitClients(
  server: Server,
  { env, addressOf, securityLog }: { env: Env; addressOf: AddressOf; securityLog: SecurityLog },
): void {
  const logCutOff = (request: IncomingMessage): void =>
    securityLog.record('cut_off', { address: addressOf(request), at: 'http' })
  answerInTurn(server, logCutOff)
  limitChunks(server, logCutOff)
  const isProxy = createIsProxy(env)
  limitOpenConnections(server, {
    keyOf: (address) => (isProxy(address) ? null : connectionKey(address)),
    perAddress: connectionsPerSocket * env.socketsPerAddress,
    onTooMany: (address) => securityLog.record('limit_reached', { address, at: 'connection' }),
  })
}

type Waiting = [request: IncomingMessage, response: ServerResponse]

/** Clients that send requests ahead of the answers (pipelining) send a few dozen. */
const waitingMax = 100

/**
 * Handles the requests of a connection one after the other, each in a turn of the event loop of its own: one read may bring
 * thousands, which Node would start all at once. A connection with more than `waitingMax` unanswered ones is cut off. To be
 * called once all listeners of requests are there.
 */
export function answerInTurn(server: Server, onTooMany: (request: IncomingMessage) => void): void {
  const listeners = server.listeners('request') as RequestListener[]
  const queues = new WeakMap<Socket, Waiting[]>()

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    response.once('close', () => setImmediate(handleNext, request.socket))
    for (const listener of listeners) listener.call(server, request, response)
  }
  const handleNext = (socket: Socket): void => {
    const next = socket.writable ? queues.get(socket)?.shift() : undefined
    if (next) handle(...next)
    else queues.delete(socket)
  }
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const { socket } = request
    // The rest of a read from a connection that was cut off.
    if (socket.destroyed) return
    const queue = queues.get(socket)
    if (!queue) {
      queues.set(socket, [])
      handle(request, response)
    } else if (queue.push([request, response]) > waitingMax) {
      onTooMany(request)
      socket.destroy()
    }
  })
}

/** Clients that stream a body send kilobytes a chunk. */
const chunksMax = 1_000

/**
 * Cuts off a connection whose request has a body of more than `chunksMax` chunks: one read may bring ten thousand of
 * a byte, and each passes a stream and its listeners. To be called once all listeners of requests are there.
 */
export function limitChunks(server: Server, onTooMany: (request: IncomingMessage) => void): void {
  server.prependListener('request', (request) => {
    if (request.headers['transfer-encoding'] === undefined) return
    let chunks = 0
    request.push = (chunk: unknown, encoding) => {
      if (chunk !== null) chunks += 1
      if (chunks <= chunksMax) return IncomingMessage.prototype.push.call(request, chunk, encoding)
      if (!request.socket.destroyed) {
        onTooMany(request)
        request.socket.destroy()
      }
      // The rest of the read is parsed nevertheless.
      return true
    }
  })
}

interface ConnectionLimitOptions {
  /** Under which the connections of an address count; null: they do not. */
  keyOf: (address: string) => string | null
  perAddress: number
  onTooMany: (address: string) => void
}

/** Bounds the open connections of each address, WebSockets included: each takes one of the file descriptors of all. */
export function limitOpenConnections(server: Server, options: ConnectionLimitOptions): void {
  const { keyOf, perAddress, onTooMany } = options
  const open = createTally()
  // Shared by all connections: a closure of each would hold memory as long as it is open.
  function onClose(this: Socket): void {
    open.remove(keyOf(remoteAddressOf(this)))
  }
  server.prependListener('connection', (socket) => {
    const address = remoteAddressOf(socket)
    const key = keyOf(address)
    if (open.count(key) >= perAddress) {
      onTooMany(address)
      socket.destroy()
      return
    }
    open.add(key)
    socket.once('close', onClose)
  })
}

/** The one that Node keeps after it was read once, also of a closed socket. */
const remoteAddressOf = ({ remoteAddress }: Socket): string => remoteAddress ?? ''

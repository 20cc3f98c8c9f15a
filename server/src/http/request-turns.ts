import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

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

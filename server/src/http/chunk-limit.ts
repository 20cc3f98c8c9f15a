import { IncomingMessage, type Server } from 'node:http'

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

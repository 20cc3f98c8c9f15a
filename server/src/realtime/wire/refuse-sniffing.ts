import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'

const sniffingHeader = 'X-Content-Type-Options: nosniff'

/** Adds `nosniff` to the answers under `path`: the libraries of sockets answer past the server that sets those of all others. */
export function refuseSniffing(server: Server, path: string): void {
  server.prependListener('request', ({ url }, response) => {
    if (url?.startsWith(path)) response.setHeader('x-content-type-options', 'nosniff')
  })
  server.prependListener('upgrade', (_request, socket) => addToAnswer(socket))
}

/** The libraries write the answer to an upgrade, such as a refusal, to its socket by hand, in one go. */
function addToAnswer(socket: Duplex): void {
  const originals: Record<string, unknown> = {
    write: Reflect.get(socket, 'write'),
    end: Reflect.get(socket, 'end'),
  }
  const answerBy =
    (name: 'write' | 'end') =>
    (answer: unknown, ...rest: unknown[]): unknown => {
      Object.assign(socket, originals)
      return Reflect.apply(socket[name], socket, [withHeader(answer), ...rest])
    }
  Object.assign(socket, { write: answerBy('write'), end: answerBy('end') })
}

const withHeader = (answer: unknown): unknown =>
  typeof answer === 'string' ? answer.replace('\r\n', `\r\n${sniffingHeader}\r\n`) : answer

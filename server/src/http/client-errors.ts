import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { AppError, toWireError } from '@earshot/core/protocol/errors'

interface Refusal {
  status: number
  error: AppError
}

const refusals: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    error: new AppError('invalid_input', 'The request did not arrive in time'),
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    error: new AppError('payload_too_large', 'The headers of the request are too large'),
  },
}
const invalid: Refusal = {
  status: 400,
  error: new AppError('invalid_input', 'The request is not valid HTTP'),
}

/** Answers a request that no handler sees, because it is not valid HTTP or never complete, in the documented shape. */
export function answerClientError(error: Error & { code: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { status, error: refusal } = refusals[error.code] ?? invalid
  const body = JSON.stringify({ error: toWireError(refusal) })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(error)
}

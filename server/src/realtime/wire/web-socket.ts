import type { EventEmitter } from 'node:events'

/** What is used of the WebSocket below a transport, which the library does not show in its types. */
export interface TransportSocket extends Pick<EventEmitter, 'on'> {
  /** Bytes that wait for the client to read. */
  readonly bufferedAmount: number
  pong(data: Buffer): void
  /** Ends the connection without a close frame. */
  terminate(): void
}

/** Returns the WebSocket of a transport; null for polling. */
export function webSocketOf(transport: object): TransportSocket | null {
  const socket: unknown = 'socket' in transport ? transport.socket : null
  const isEmitter = typeof socket === 'object' && socket !== null && 'on' in socket
  return isEmitter ? (socket as TransportSocket) : null
}

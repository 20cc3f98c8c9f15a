import { AppError, fromWireError } from '@earshot/core/protocol/errors'
import type {
  Ack,
  ClientAck,
  ClientEventName,
  ClientPayload,
  ClientToServerEvents,
  ServerToClientEvents,
} from '@earshot/core/protocol/socket-events'
import type { Transport } from '@earshot/core/machines/connection-state'
import { io, type Socket } from 'socket.io-client'

export type ServerSocket = Socket<ServerToClientEvents, ClientToServerEvents>

/** One connection, not opened yet. It never reconnects by itself: when and where to is decided elsewhere. */
export function createServerSocket(
  url: string,
  transports: readonly Transport[],
  timeoutMs: number,
): ServerSocket {
  return io(url, {
    transports: [...transports],
    timeout: timeoutMs,
    reconnection: false,
    autoConnect: false,
    forceNew: true,
    withCredentials: true,
  })
}

/** What a call needs of a connection. */
export interface EventSocket {
  readonly connected: boolean
  on(event: 'disconnect', listener: () => void): unknown
  off(event: 'disconnect', listener: () => void): unknown
  /** The last argument is called with the acknowledgement. */
  emit(event: string, ...args: unknown[]): unknown
}

export interface CallOptions<Name extends ClientEventName> {
  /** How long to wait for an answer, in ms. */
  timeoutMs?: number
  /** What is sent once more where there is no answer after a while; the first answer of any counts. */
  repeat?: { afterMs: number; payload: ClientPayload<Name>; alsoAs?: readonly string[] }
}

const answerTimeoutMs = 5_000

/**
 * Sends an event and resolves with what the server answers. Rejects with the server's AppError, or with `unavailable`
 * where the connection is not there, is lost, or nothing is answered in time.
 */
export function callServer<Name extends ClientEventName>(
  socket: EventSocket,
  event: Name,
  payload: ClientPayload<Name>,
  { timeoutMs = answerTimeoutMs, repeat }: CallOptions<Name> = {},
): Promise<ClientAck<Name>> {
  return new Promise((resolve, reject) => {
    if (!socket.connected) return reject(new AppError('unavailable'))
    const settle = (finish: () => void) => {
      clearTimeout(timeout)
      clearTimeout(repetition)
      socket.off('disconnect', giveUp)
      finish()
    }
    const giveUp = () => settle(() => reject(new AppError('unavailable')))
    const answer = (ack: Ack<ClientAck<Name>>) =>
      settle(() => (ack.ok ? resolve(ack.data) : reject(fromWireError(ack.error))))
    const timeout = setTimeout(giveUp, timeoutMs)
    const repetition =
      repeat &&
      setTimeout(() => {
        for (const name of [event, ...(repeat.alsoAs ?? [])]) socket.emit(name, repeat.payload, answer)
      }, repeat.afterMs)
    socket.on('disconnect', giveUp)
    socket.emit(event, payload, answer)
  })
}

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

/** There was no answer: no connection, one that was lost, or silence for too long. */
export class NoAnswerError extends AppError {
  readonly reason: 'not_connected' | 'lost' | 'timed_out'

  constructor(reason: NoAnswerError['reason']) {
    super('unavailable')
    this.reason = reason
  }
}

/** Is told of a message that goes out; what it returns is told the outcome: the error, or null where it was taken. */
export type NoteSent = (event: string, payload: unknown) => (error: AppError | null) => void

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

const noteNothing: NoteSent = () => () => undefined

const answerTimeoutMs = 5_000

/**
 * Sends an event and resolves with what the server answers. Rejects with the server's AppError, or with a
 * NoAnswerError, whose code is `unavailable`.
 */
export function callServer<Name extends ClientEventName>(
  socket: EventSocket | null,
  event: Name,
  payload: ClientPayload<Name>,
  { timeoutMs = answerTimeoutMs, repeat }: CallOptions<Name> = {},
  noteSent: NoteSent = noteNothing,
): Promise<ClientAck<Name>> {
  return new Promise((resolve, reject) => {
    if (!socket?.connected) return reject(new NoAnswerError('not_connected'))
    const noteOutcomes: ReturnType<NoteSent>[] = []
    const settle = (error: AppError | null) => {
      clearTimeout(timeout)
      clearTimeout(repetition)
      socket.off('disconnect', lose)
      for (const noteOutcome of noteOutcomes.splice(0)) noteOutcome(error)
      if (error) reject(error)
    }
    const lose = () => settle(new NoAnswerError('lost'))
    const answer = (ack: Ack<ClientAck<Name>>) => {
      settle(ack.ok ? null : fromWireError(ack.error))
      if (ack.ok) resolve(ack.data)
    }
    const send = (name: string, sent: ClientPayload<Name>) => {
      noteOutcomes.push(noteSent(name, sent))
      socket.emit(name, sent, answer)
    }
    const timeout = setTimeout(() => settle(new NoAnswerError('timed_out')), timeoutMs)
    const repetition =
      repeat &&
      setTimeout(() => {
        for (const name of [event, ...(repeat.alsoAs ?? [])]) send(name, repeat.payload)
      }, repeat.afterMs)
    socket.on('disconnect', lose)
    send(event, payload)
  })
}

import { AppError, fromWireError } from '@earshot/core/protocol/errors'
import type {
  Ack,
  ClientAck,
  ClientEventName,
  ClientPayload,
  ClientToServerEvents,
  ServerEventName,
  ServerPayload,
  ServerToClientEvents,
} from '@earshot/core/protocol/socket-events'
import type { Transport } from '@earshot/core/machines/connection'
import { clientVersion } from '@earshot/core/protocol/wire-constants'
import { Manager, type Socket, WebSocket as WebSocketTransport, XHR } from 'socket.io-client'

export type ServerSocket = Socket<ServerToClientEvents, ClientToServerEvents>

/** Creates a connection, not opened yet. It never reconnects by itself: the connection machine decides that. */
export function createServerSocket(
  url: string,
  transports: readonly Transport[],
  timeoutMs: number,
): ServerSocket {
  const isFirstChoice = transports[0] === 'websocket'
  const manager = new Manager(url, {
    transports: (isFirstChoice && continueEarlySocket(url)) || [...transports],
    timeout: timeoutMs,
    reconnection: false,
    autoConnect: false,
    withCredentials: true,
  })
  return manager.socket('/', { auth: { clientVersion } })
}

/** The call had no answer: no connection, a lost one, or a timeout. */
export class NoAnswerError extends AppError {
  readonly reason: 'not_connected' | 'lost' | 'timed_out'

  constructor(reason: NoAnswerError['reason']) {
    super('unavailable')
    this.reason = reason
  }
}

/** Records a sent message. Returns a function that records its outcome: the error, or null if acknowledged. */
export type NoteSent = (event: string, payload: unknown) => (error: AppError | null) => void

/** The parts of a socket that a call uses. */
export interface EventSocket {
  readonly connected: boolean
  on(event: 'disconnect', listener: () => void): unknown
  off(event: 'disconnect', listener: () => void): unknown
  /** The last argument is called with the acknowledgement. */
  emit(event: string, ...args: unknown[]): unknown
}

export interface CallOptions<Name extends ClientEventName> {
  /** Timeout for the answer, in ms. */
  timeoutMs?: number
  /** The server need not answer: resolves at once, to nothing. */
  isUnanswered?: boolean
  /** Sent again without an answer after `afterMs`, once or every time, with `payload` if given; the first answer counts. */
  repeat?: { afterMs: number; isEndless?: boolean; payload?: ClientPayload<Name>; alsoAs?: readonly string[] }
}

const noteNothing: NoteSent = () => () => undefined

const answerTimeoutMs = 5_000

/**
 * Sends an event and resolves with the server's answer. Rejects with the server's AppError, or with a NoAnswerError,
 * whose code is `unavailable`.
 */
export function callServer<Name extends ClientEventName>(
  socket: EventSocket | null,
  event: Name,
  payload: ClientPayload<Name>,
  options: CallOptions<Name> & { noteSent?: NoteSent } = {},
): Promise<ClientAck<Name>> {
  const { timeoutMs = answerTimeoutMs, repeat, isUnanswered = false, noteSent = noteNothing } = options
  return new Promise((resolve, reject) => {
    if (!socket?.connected) return reject(new NoAnswerError('not_connected'))
    if (isUnanswered) {
      noteSent(event, payload)(null)
      socket.emit(event, payload)
      return resolve({} as ClientAck<Name>)
    }
    const noteOutcomes: ReturnType<NoteSent>[] = []
    const settle = (error: AppError | null) => {
      clearTimeout(timeout)
      clearInterval(repetition)
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
      setInterval(() => {
        if (!repeat.isEndless) clearInterval(repetition)
        for (const name of [event, ...(repeat.alsoAs ?? [])]) send(name, repeat.payload ?? payload)
      }, repeat.afterMs)
    socket.on('disconnect', lose)
    send(event, payload)
  })
}

/** Listeners for the server's events; they outlive single connections. */
interface IncomingEvents {
  on<Name extends ServerEventName>(name: Name, listener: (payload: ServerPayload<Name>) => void): () => void
  /** Passes an event to its listeners; without any it is dropped. */
  dispatch(name: string, payload: unknown): Promise<void>
}

type Listener = (payload: never) => void

export function createIncomingEvents(): IncomingEvents {
  const listeners = new Map<string, Set<Listener>>()
  return {
    on(name, listener) {
      const known = listeners.get(name) ?? new Set<Listener>()
      listeners.set(name, known.add(listener))
      return () => known.delete(listener)
    },
    async dispatch(name, payload) {
      if (import.meta.env.DEV && !(await isWellFormed(name, payload))) return
      for (const listener of listeners.get(name) ?? []) listener(payload as never)
    },
  }
}

/** In development an event that breaks the contract is dropped and reported; in production the server is trusted. */
async function isWellFormed(name: string, payload: unknown): Promise<boolean> {
  const { serverEvents } = await import('@earshot/core/protocol/socket-events')
  const schema = Object.entries(serverEvents).find(([known]) => known === name)?.[1]
  const result = schema?.safeParse(payload)
  if (result && !result.success) reportError(new Error(`Malformed ${name}: ${result.error.message}`))
  return result?.success ?? false
}

/** A connection that `public/early-socket.js` opened while the code was loading. */
interface EarlySocket {
  /** The server's address. */
  url: string
  socket: WebSocket
  /** The messages up to now. */
  received: MessageEvent[]
  /** Closes the socket unless it is cleared. */
  timer: number
}

declare global {
  var earlySocket: EarlySocket | undefined
}

/** Takes the early connection to a server, once; null where there is none or it failed. */
function takeEarlySocket(url: string): EarlySocket | null {
  const early = globalThis.earlySocket
  if (early?.url !== url || early.socket.readyState > WebSocket.OPEN) return null
  clearTimeout(early.timer)
  globalThis.earlySocket = undefined
  return early
}

/** Returns the transports for a server that continue its early connection, or null where there is none. */
function continueEarlySocket(url: string): (typeof WebSocketTransport | typeof XHR)[] | null {
  const early = takeEarlySocket(url)
  if (!early) return null
  const { socket, received } = early

  class EarlyTransport extends WebSocketTransport {
    override createSocket(): WebSocket {
      // The transport sets its own handlers next; it is then given what it has missed.
      if (socket.readyState === WebSocket.OPEN) queueMicrotask(() => this.replay())
      return socket
    }

    replay(): void {
      socket.onopen?.(new Event('open'))
      for (const event of received) socket.onmessage?.(event)
    }
  }
  return [EarlyTransport, XHR]
}

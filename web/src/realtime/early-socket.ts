import { WebSocket as WebSocketTransport, XHR } from 'socket.io-client'

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
export function continueEarlySocket(url: string): (typeof WebSocketTransport | typeof XHR)[] | null {
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

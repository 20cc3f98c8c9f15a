import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** A TCP proxy in front of a server, with a port of its own, that delays, blocks or stalls its connections. */
export interface NetworkProxy {
  url: string
  /** Sets the server to forward to. Until then connections are refused. */
  forwardTo(url: string): void
  /** Delays everything from now on by `ms` each way, give or take `jitterMs`. */
  setDelay(ms: number, jitterMs?: number): void
  /** Closes every connection and refuses new ones. */
  block(): void
  unblock(): void
  /** Stalls the open connections without closing them; new ones work. */
  stall(): void
  close(): Promise<void>
}

/** Opens the proxy before there is a server, so that the server's configuration can name the proxy's address. */
export async function openNetworkProxy(): Promise<NetworkProxy> {
  const sockets = new Set<Socket>()
  let target: URL | null = null
  let path = { ms: 0, jitterMs: 0 }
  const delayMs = () => path.ms + (2 * Math.random() - 1) * path.jitterMs
  let isBlocked = false
  const server = createServer((client) => {
    if (!target || isBlocked) return client.destroy()
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) sockets.add(socket.on('close', () => sockets.delete(socket)))
    forward(client, upstream, delayMs)
    forward(upstream, client, delayMs)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No free port')
  const closeAll = () => sockets.forEach((socket) => socket.destroy())
  return {
    url: `http://127.0.0.1:${address.port}`,
    forwardTo(url) {
      target = new URL(url)
    },
    setDelay(ms, jitterMs = 0) {
      path = { ms, jitterMs }
    },
    block() {
      isBlocked = true
      closeAll()
    },
    unblock() {
      isBlocked = false
    },
    stall() {
      sockets.forEach((socket) => socket.pause())
    },
    async close() {
      closeAll()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Forwards bytes late but in order, also when the delay shrinks. */
function forward(from: Socket, to: Socket, delayMs: () => number): void {
  let last = Promise.resolve()
  from.on('data', (bytes) => {
    const arrival = delay(delayMs())
    last = last.then(() => arrival).then(() => void to.write(bytes))
  })
  // 'close' follows every error, and closing one side closes the other.
  from.on('error', () => undefined)
  from.on('close', () => void last.then(() => to.destroySoon()))
}

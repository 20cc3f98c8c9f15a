import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Another way to a server, under an address of its own: what takes it suffers from it, and nobody else. */
export interface Detour {
  url: string
  /** The server that it leads to, once that is there. */
  leadTo(url: string): void
  /** How long everything takes from now on, in ms each way. */
  setDelay(ms: number): void
  /** Ends every connection and refuses new ones. */
  block(): void
  unblock(): void
  /** The connections that there are carry nothing any more, and neither end is told; new ones are let through. */
  forget(): void
  close(): Promise<void>
}

/** Opens an address before there is a server, so that the server can be told of it. */
export async function openDetour(): Promise<Detour> {
  const sockets = new Set<Socket>()
  let target: URL | null = null
  let delayMs = 0
  let isBlocked = false
  const server = createServer((near) => {
    if (!target || isBlocked) return near.destroy()
    const far = connect(Number(target.port), target.hostname)
    for (const socket of [near, far]) sockets.add(socket.on('close', () => sockets.delete(socket)))
    carry(near, far, () => delayMs)
    carry(far, near, () => delayMs)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No free port')
  const endAll = () => sockets.forEach((socket) => socket.destroy())
  return {
    url: `http://127.0.0.1:${address.port}`,
    leadTo(url) {
      target = new URL(url)
    },
    setDelay(ms) {
      delayMs = ms
    },
    block() {
      isBlocked = true
      endAll()
    },
    unblock() {
      isBlocked = false
    },
    forget() {
      sockets.forEach((socket) => socket.pause())
    },
    async close() {
      endAll()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Carries what one end says to the other: late, and in order also when the way becomes shorter. */
function carry(from: Socket, to: Socket, delayMs: () => number): void {
  let last = Promise.resolve()
  from.on('data', (bytes) => {
    const arrival = delay(delayMs())
    last = last.then(() => arrival).then(() => void to.write(bytes))
  })
  // An error is followed by the close, and the end of one is the end of both.
  from.on('error', () => undefined)
  from.on('close', () => void last.then(() => to.destroySoon()))
}

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
  /** Limits what all connections together carry from the server, in bit/s; Infinity for no limit. */
  setBandwidth(bitsPerSecond: number): void
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
  const down = createLine()
  const server = createServer((client) => {
    if (!target || isBlocked) return client.destroy()
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) sockets.add(socket.on('close', () => sockets.delete(socket)))
    forward(client, upstream, { delayMs, line: createLine() })
    forward(upstream, client, { delayMs, line: down })
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
    setBandwidth: (bitsPerSecond) => down.setBandwidth(bitsPerSecond),
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

/** A line that carries packets one after the other, whoever sends them. */
interface Line {
  isLimited(): boolean
  setBandwidth(bitsPerSecond: number): void
  /** Resolves when the bytes have passed. */
  pass(bytes: number): Promise<void>
}

function createLine(): Line {
  let bytesPerMs = Infinity
  let freeAtMs = 0
  return {
    isLimited: () => bytesPerMs < Infinity,
    setBandwidth(bitsPerSecond) {
      bytesPerMs = bitsPerSecond / 8_000
    },
    async pass(bytes) {
      const nowMs = performance.now()
      freeAtMs = Math.max(nowMs, freeAtMs) + bytes / bytesPerMs
      if (freeAtMs > nowMs) await delay(freeAtMs - nowMs)
    },
  }
}

const packetBytes = 1_460
/** Bytes that a connection may have before a limited line: the buffer of a router. */
const maxQueuedBytes = 64 * 1024

/** Forwards bytes late but in order, also when the delay shrinks. */
function forward(from: Socket, to: Socket, { delayMs, line }: { delayMs: () => number; line: Line }): void {
  let last = Promise.resolve()
  let queuedBytes = 0
  let isHeld = false
  const send = (packet: Buffer) => {
    const arrival = line.pass(packet.length).then(() => delay(delayMs()))
    queuedBytes += packet.length
    last = last
      .then(() => arrival)
      .then(() => {
        queuedBytes -= packet.length
        if (isHeld && queuedBytes < maxQueuedBytes) {
          isHeld = false
          from.resume()
        }
        to.write(packet)
      })
  }
  from.on('data', (bytes: Buffer) => {
    const step = line.isLimited() ? packetBytes : bytes.length
    for (let at = 0; at < bytes.length; at += step) send(bytes.subarray(at, at + step))
    if (!line.isLimited() || queuedBytes < maxQueuedBytes) return
    isHeld = true
    from.pause()
  })
  // 'close' follows every error, and closing one side closes the other.
  from.on('error', () => undefined)
  from.on('close', () => void last.then(() => to.destroySoon()))
}

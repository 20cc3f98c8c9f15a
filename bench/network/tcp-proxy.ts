import type { Clock } from '@earshot/core/clock'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { calmPath, createDelayLine, type DelayLine, type PathConditions } from './delay-line.ts'
import { createSharedLine, type SharedLine } from './shared-line.ts'

/** The conditions of a path in each direction; `up` is towards the server. */
export interface Conditions {
  up: PathConditions
  down: PathConditions
}

export const calm: Conditions = { up: calmPath, down: calmPath }

/** A proxy in front of a server that impairs its connections. */
export interface TcpProxy {
  /** The origin to open instead of the server's. */
  origin: string
  /** The line from the server, which all connections share. */
  down: SharedLine
  /** Applies to data sent from now on, also over open connections. */
  setConditions(conditions: Conditions): void
  /** Unreachable: all connections break, and new ones are refused until it is reachable again. */
  setReachable(isReachable: boolean): void
  close(): Promise<void>
}

export interface TcpProxyOptions {
  clock: Clock
  /** The port of the server on the loopback address. */
  targetPort: number
  seed: number
  conditions?: Conditions
  /** Where it listens. */
  host?: string
  port?: number
}

/** Buffer of one direction of a connection; beyond it the sender waits. A line with a bandwidth has a short one. */
const maxUnderwayBytes = 4 * 1024 * 1024
const maxQueuedBytes = 64 * 1024
/** A line with a bandwidth carries packets, so that an answer arrives bit by bit. */
const packetBytes = 1_460

/** Every connection has delay lines of its own, seeded by its number. Resolves when it listens. */
export async function startTcpProxy(options: TcpProxyOptions): Promise<TcpProxy> {
  const { clock, targetPort, seed, host = '127.0.0.1', port = 0 } = options
  const links = new Set<Link>()
  const down = createSharedLine(clock)
  let conditions = options.conditions ?? calm
  let isReachable = true
  let opened = 0
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (!isReachable) return void client.resetAndDestroy()
    opened += 1
    const link = openLink({ clock, client, targetPort, conditions, down, seed: seed + 2 * opened })
    links.add(link)
    client.once('close', () => links.delete(link))
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
  const cutAll = () => {
    for (const link of links) link.cut()
  }
  return {
    origin: `http://${host}:${address.port}`,
    down,
    setConditions(next) {
      conditions = next
      for (const link of links) link.setConditions(next)
    },
    setReachable(next) {
      isReachable = next
      if (!next) cutAll()
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      cutAll()
      await closed
    },
  }
}

/** One connection through the proxy. */
interface Link {
  setConditions(conditions: Conditions): void
  cut(): void
}

function openLink(parts: {
  clock: Clock
  client: Socket
  targetPort: number
  conditions: Conditions
  down: SharedLine
  seed: number
}): Link {
  const { clock, client, targetPort, conditions, seed } = parts
  const target = connect({ host: '127.0.0.1', port: targetPort, allowHalfOpen: true })
  const up = createDelayLine(clock, seed, conditions.up)
  const down = createDelayLine(clock, seed + 1, conditions.down)
  const cut = () => {
    up.cut()
    down.cut()
    client.destroy()
    target.destroy()
  }
  carry({ from: client, to: target, path: up, line: createSharedLine(clock), cut })
  carry({ from: target, to: client, path: down, line: parts.down, cut })
  return {
    setConditions(next) {
      up.setConditions(next.up)
      down.setConditions(next.down)
    },
    cut,
  }
}

/** Carries bytes, and the end of them, over a line and a path; an error breaks both ends at once. */
function carry(parts: {
  from: Socket
  to: Socket
  path: DelayLine
  line: SharedLine
  cut: () => void
}): void {
  const { from, to, path, line, cut } = parts
  let underwayBytes = 0
  const isFull = () => underwayBytes >= (line.hasLimit ? maxQueuedBytes : maxUnderwayBytes)
  const goOn = () => {
    if (!isFull() && !to.writableNeedDrain) from.resume()
  }
  const send = (bytes: number, deliver: () => void) => line.send(bytes, () => path.send(deliver))
  from.setNoDelay(true)
  const sendPacket = (packet: Buffer) =>
    send(packet.length, () => {
      underwayBytes -= packet.length
      if (!to.write(packet)) from.pause()
      goOn()
    })
  from.on('data', (chunk: Buffer) => {
    underwayBytes += chunk.length
    if (isFull()) from.pause()
    const step = line.hasLimit ? packetBytes : chunk.length
    for (let at = 0; at < chunk.length; at += step) sendPacket(chunk.subarray(at, at + step))
  })
  to.on('drain', goOn)
  from.once('end', () => send(0, () => to.end()))
  from.once('error', cut)
}

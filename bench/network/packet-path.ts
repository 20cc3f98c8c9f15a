import type { Clock } from '@earshot/core/clock'
import { createRandom } from '@earshot/core/testing/random'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createDelayLine, type PathConditions } from './delay-line.ts'

/** A path for whole packets: some are lost, the others arrive delayed and in order. */
export interface PacketConditions extends PathConditions {
  /** 0..1 */
  lossRate: number
}

export interface PacketPath {
  /** Takes a packet at one end; hands it over at the other, or never. */
  send(deliver: () => void): void
  /** Drops packets in transit. */
  cut(): void
}

/** Deterministic by seed and send times. */
export function createPacketPath(clock: Clock, seed: number, conditions: PacketConditions): PacketPath {
  const random = createRandom(seed)
  const line = createDelayLine(clock, seed + 1, conditions)
  return {
    send(deliver) {
      if (random() >= conditions.lossRate) line.send(deliver)
    },
    cut: () => line.cut(),
  }
}

/** One end of a packet relay: the UDP port to which packets are sent, and the port from which they come out. */
export interface RelayEnd {
  relayPort: number
  devicePort: number
}

/** Relays packets, one per datagram, between two ends on the loopback address until it is closed. */
export async function startPacketRelay(options: {
  clock: Clock
  seed: number
  conditions: PacketConditions
}): Promise<{ ends: [RelayEnd, RelayEnd]; close(): void }> {
  const { clock, seed, conditions } = options
  const [near, far] = [await bind(), await bind()]
  const ends: [RelayEnd, RelayEnd] = [
    { relayPort: near.address().port, devicePort: await findFreeDatagramPort() },
    { relayPort: far.address().port, devicePort: await findFreeDatagramPort() },
  ]
  const [there, back] = [seed, seed + 1_000].map((own) => createPacketPath(clock, own, conditions))
  const carry = (from: Socket, to: Socket, toPort: number, path: PacketPath | undefined) =>
    from.on('message', (packet) => path?.send(() => to.send(packet, toPort, '127.0.0.1')))
  carry(near, far, ends[1].devicePort, there)
  carry(far, near, ends[0].devicePort, back)
  return {
    ends,
    close: () => {
      near.close()
      far.close()
      there?.cut()
      back?.cut()
    },
  }
}

async function bind(): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.on('error', () => undefined) // Packets for a device that does not exist yet are lost
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket
}

async function findFreeDatagramPort(): Promise<number> {
  const socket = await bind()
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}

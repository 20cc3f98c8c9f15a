import { setTimeout as delay } from 'node:timers/promises'
import { monotonicMs } from '../load/monotonic.ts'
import { openRoomSocket, type RoomSocket } from '../load/room-socket.ts'
import type { ProductServer } from '../product/product-server.ts'

/** A server that was held up for the whole round answers all within its limit of 60 a second. */
const probeEveryMs = 150

/** Sockets that only probe the server's clock. */
export interface Prober {
  /** Probes for `durationMs`; resolves to the round trip of every probe, ms. */
  probe(durationMs: number): Promise<number[]>
  close(): void
}

/** Connects everybody. */
export async function openProber({ app, people }: ProductServer): Promise<Prober> {
  const sockets = await Promise.all(people.map(({ cookie }) => openRoomSocket({ url: app.url, cookie })))
  return {
    async probe(durationMs) {
      const rounds = sockets.map((socket, index) =>
        probeRepeatedly(socket, { durationMs, afterMs: (index / sockets.length) * probeEveryMs }),
      )
      return (await Promise.all(rounds)).flat()
    },
    close: () => {
      for (const socket of sockets) socket.close()
    },
  }
}

/** Sends at a fixed interval, whether or not the last probe was answered, so that a pause counts in full. */
async function probeRepeatedly(
  socket: RoomSocket,
  { durationMs, afterMs }: { durationMs: number; afterMs: number },
): Promise<number[]> {
  await delay(afterMs)
  const roundTrips: Promise<number>[] = []
  for (let count = 0; count < durationMs / probeEveryMs; count++) {
    const sentMs = monotonicMs()
    roundTrips.push(socket.call('ping', { time: sentMs }).then(() => monotonicMs() - sentMs))
    await delay(probeEveryMs)
  }
  return await Promise.all(roundTrips)
}

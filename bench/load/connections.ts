import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'
import { monotonicMs } from './monotonic.ts'
import { EventRefused, openRoomSocket, type RoomSocket } from './room-socket.ts'

/** One connection of the load, to the product or to the baseline. */
export interface Connection {
  /** Asks to join and waits for the answer. Resolves to the ms that took. */
  join(roomId: string): Promise<number>
  /** Traffic received since it was opened. */
  received: { frames: number; bytes: number }
  /** The full channel, where the other side is the product. */
  room: RoomSocket | null
  close(): void
}

/** A connection to the product with a session of its own. */
export async function connectToProduct(
  url: string,
  cookie: string,
  onEvent: (frame: string) => void,
): Promise<Connection> {
  const room = await retry(() => openRoomSocket({ url, cookie, onEvent }))
  return {
    room,
    received: room.received,
    join: (roomId) => joinRoom(room, roomId),
    close: () => room.close(),
  }
}

const openAttempts = 5
const betweenAttemptsMs = 1_000

/** Opens a connection again that the server did not admit in time, as a page does. */
async function retry<Result>(open: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; attempt < openAttempts; attempt += 1) {
    try {
      return await open()
    } catch (error) {
      console.warn('A connection was not opened and is tried again:', error)
      await delay(betweenAttemptsMs)
    }
  }
  return await open()
}

/** Joins; a join that came too soon after others of the same user is repeated when it may be. */
async function joinRoom(room: RoomSocket, roomId: string): Promise<number> {
  for (;;) {
    const askedAt = monotonicMs()
    try {
      await room.request('join_room', { roomId, queueDeltas: true, syncChanges: true })
      return monotonicMs() - askedAt
    } catch (error) {
      if (!(error instanceof EventRefused) || error.retryAfterMs === null) throw error
      await delay(error.retryAfterMs)
    }
  }
}

/** A bare WebSocket to the baseline server, which answers a join with as many bytes as the product did. */
export async function connectToBaseline(url: string, onEvent: (frame: string) => void): Promise<Connection> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'))
  const received = { frames: 0, bytes: 0 }
  let answered = () => {}
  socket.on('message', (data: Buffer) => {
    received.frames += 1
    received.bytes += data.length
    const frame = data.toString('utf8')
    if (frame.startsWith('42')) onEvent(frame.slice(2))
    else answered()
  })
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('error', reject)
  })
  return {
    room: null,
    received,
    join: async () => {
      const askedAt = monotonicMs()
      const answer = new Promise<void>((resolve) => {
        answered = resolve
      })
      socket.send('join')
      await answer
      return monotonicMs() - askedAt
    },
    close: () => socket.terminate(),
  }
}

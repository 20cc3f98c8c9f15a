import { expect, type APIRequestContext, type BrowserContext } from '@playwright/test'
import { io, type Socket } from 'socket.io-client'
import { createSession } from './accounts.ts'
import type { App } from './app.ts'

/** Rooms over the HTTP API and the socket. */

export interface RoomFacts {
  listeners: number
  playback_state: Playback
}

/** The room's position at an instant of the server's clock, which is this machine's clock. */
export interface Playback {
  is_playing: boolean
  current_position: number
  timestamp: number
  sequence_number: number
  track_id: string | null
}

/** Creates a room in which the first track waits for play, and resolves to its id. */
export async function createRoom(
  app: App,
  context: BrowserContext,
  room: { name: string; isPublic?: boolean; password?: string },
): Promise<string> {
  const response = await context.request.post(`${app.url}/api/rooms`, {
    headers: { origin: app.publicUrl },
    data: room,
  })
  if (!response.ok()) throw new Error(`No room: ${response.status()} ${await response.text()}`)
  const { id } = (await response.json()) as { id: string }
  await pauseByHand(app, context, id)
  return id
}

const answerTimeoutMs = 60_000

/** Opens a socket without a page; calls on it that get no answer fail. The caller closes it. */
export function openSocket(app: App, cookies: { name: string; value: string }[]): Socket {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return io(app.url, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    ackTimeout: answerTimeoutMs,
    extraHeaders: { cookie, origin: app.publicUrl },
  })
}

/** Pauses an empty room as its owner, for a moment a member, so that no track starts by itself (17.25). */
async function pauseByHand(app: App, context: BrowserContext, roomId: string): Promise<void> {
  const socket = openSocket(app, await context.cookies(app.url))
  try {
    const steps = [
      ['join_room', { roomId }],
      ['direct_command', { roomId, command: 'pause' }],
      ['user_left', { roomId }],
    ] as const
    for (const [name, payload] of steps) {
      const answer: unknown = await socket.emitWithAck(name, payload)
      expect(answer).toMatchObject({ ok: true })
    }
  } finally {
    socket.close()
  }
}

/** Reads a room without a session. */
export async function readRoom(app: App, roomId: string): Promise<RoomFacts> {
  const response = await fetch(`${app.url}/api/rooms/${roomId}`)
  if (!response.ok) throw new Error(`No room: ${response.status} ${await response.text()}`)
  const { room } = (await response.json()) as { room: RoomFacts }
  return room
}

export async function readPlayback(app: App, roomId: string): Promise<Playback> {
  const { playback_state } = await readRoom(app, roomId)
  return playback_state
}

const scanTimeoutMs = 90_000

/** Lists the first page of the server's library. */
export async function readLibrary(
  { url }: Pick<App, 'url'>,
  request: APIRequestContext,
): Promise<{ id: string; title: string }[]> {
  const response = await request.get(`${url}/api/library`)
  return ((await response.json()) as { tracks: { id: string; title: string }[] }).tracks
}

/** Adds tracks of the library to a room's queue, once the server's scan has found them. */
export async function addTracks(
  app: App,
  context: BrowserContext,
  roomId: string,
  titles: string[],
): Promise<void> {
  const readTitles = async () => (await readLibrary(app, context.request)).map((track) => track.title)
  await expect.poll(readTitles, { timeout: scanTimeoutMs }).toEqual(expect.arrayContaining(titles))
  await queueByTitle(app, context.request, roomId, titles)
}

/** Adds tracks of the first page of the library to a room's queue. */
export async function queueByTitle(
  { url, publicUrl }: Pick<App, 'url' | 'publicUrl'>,
  request: APIRequestContext,
  roomId: string,
  titles: string[],
): Promise<void> {
  const library = await readLibrary({ url }, request)
  for (const title of titles) {
    const response = await request.post(`${url}/api/rooms/${roomId}/queue`, {
      headers: { origin: publicUrl },
      data: { trackId: library.find((track) => track.title === title)?.id },
    })
    if (!response.ok()) throw new Error(`Not added: ${response.status()} ${await response.text()}`)
  }
}

/** Adds `count` entries in one event, as a client of section 7 does. */
export async function fillQueue(
  app: App,
  context: BrowserContext,
  roomId: string,
  count: number,
): Promise<void> {
  const tracks = await readLibrary(app, context.request)
  const socket = openSocket(app, await context.cookies(app.url))
  try {
    const queue = Array.from({ length: count }, (_, index) => ({ id: tracks[index % tracks.length]?.id }))
    await socket.emitWithAck('join_room', { roomId })
    const answer: unknown = await socket.emitWithAck('queue_updated', { roomId, queue })
    expect(answer).toMatchObject({ ok: true })
  } finally {
    socket.close()
  }
}

/** Lets new accounts, listener-1 and so on, join a room until `signal`. */
export async function fillMembers(
  app: App,
  room: { roomId: string; password?: string },
  count: number,
  signal: AbortSignal,
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const { cookie } = await createSession(app, `listener-${index + 1}`)
    const socket = openSocket(app, [cookie])
    signal.addEventListener('abort', () => socket.close())
    const answer: unknown = await socket.emitWithAck('join_room', room)
    expect(answer).toMatchObject({ ok: true })
  }
}

const roomsPerInsert = 100

/** Stores copies of a room in the database, named 'Room 1', 'Room 2' and so on, until there are `count` with it. */
export async function copyRoom(app: App, roomId: string, count: number): Promise<void> {
  const db = await app.database()
  const room = await db.selectFrom('rooms').selectAll().where('id', '=', roomId).executeTakeFirstOrThrow()
  for (let from = 1; from < count; from += roomsPerInsert) {
    const numbers = Array.from({ length: Math.min(roomsPerInsert, count - from) }, (_, index) => from + index)
    const copies = numbers.map((number) => {
      const name = `Room ${number}`
      return { ...room, id: `${roomId}-${number}`, name, search_text: name.toLowerCase() }
    })
    await db.insertInto('rooms').values(copies).execute()
  }
}

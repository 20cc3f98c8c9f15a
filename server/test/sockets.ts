import type { Clock } from '@earshot/core/clock'
import type { Track } from '@earshot/core/protocol/entities'
import { fromWireError, type WireError } from '@earshot/core/protocol/errors'
import type {
  Ack,
  ClientAck,
  ClientEventName,
  ServerEventName,
  ServerPayload,
} from '@earshot/core/protocol/socket-events'
import { serverEvents } from '@earshot/core/protocol/socket-events'
import { serverActor } from '@earshot/core/room/room-state'
import { makeTrack } from '@earshot/core/testing/tracks'
import { type ManagerOptions, type Socket, type SocketOptions, io } from 'socket.io-client'
import { vi } from 'vitest'
import type { Db } from '../src/db/database.ts'
import { upsertTracks } from '../src/db/tracks.ts'
import { type TestApp, type TestUser, signUp } from './apps.ts'

/** The set-up of tests over real sockets: an app on a free port, people who are signed up, and their clients. */

/** How long a client waits for an answer, ms. */
const patienceMs = 30_000

/** For `vi.waitFor` with steps of a fake clock: leaves time between them to renew the members' leases. */
export const renewable = { interval: 60 }

interface HeardEvent {
  name: string
  payload: unknown
}

/** A client as anybody could write it: it emits events, waits for answers, and notes what it hears. */
export interface TestClient {
  socket: Socket
  user: TestUser
  /** Everything heard so far, in order. */
  heard: HeardEvent[]
  /** Emits an event with any payload; resolves to the answer's data, rejects with its error as an AppError. */
  ask<Name extends ClientEventName>(name: Name, payload: unknown): Promise<ClientAck<Name>>
  /** The answer to anything at all, as it comes. */
  askRaw(name: string, ...payloads: unknown[]): Promise<Ack<unknown>>
  /** Resolves to the first event of this name that fits, among those heard already and those to come. */
  hear<Name extends ServerEventName>(
    name: Name,
    fits?: (payload: ServerPayload<Name>) => boolean,
  ): Promise<ServerPayload<Name>>
  /** Returns the events heard under a name, checked against the contract. */
  all<Name extends ServerEventName>(name: Name): ServerPayload<Name>[]
  forget(): void
  close(): void
}

/** Connects as a user. Rejects with the connect_error, whose `data` is the error on the wire. */
export async function connect(
  app: Pick<TestApp, 'address' | 'atEnd'>,
  user: TestUser | null,
  options: Partial<ManagerOptions & SocketOptions> = {},
): Promise<TestClient> {
  const socket = io(app.address, {
    forceNew: true,
    reconnection: false,
    transports: ['websocket'],
    extraHeaders: user ? { cookie: user.cookie } : {},
    ...options,
  })
  app.atEnd(() => void socket.close())
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  return toTestClient(socket, user ?? { id: '', name: '', cookie: '' })
}

/** Resolves to how long a refused connection is told to wait, in ms; null where it was not refused, or not told. */
export async function refusedForMs(connecting: Promise<TestClient>): Promise<number | null> {
  const error = await connecting.then(
    () => null,
    (reason: Error & { data?: Partial<WireError> }) => reason,
  )
  return error?.data?.retryAfterMs ?? null
}

function toTestClient(socket: Socket, user: TestUser): TestClient {
  const heard: HeardEvent[] = []
  socket.onAny((name: string, payload: unknown) => heard.push({ name, payload }))
  const askRaw = async (name: string, ...payloads: unknown[]): Promise<Ack<unknown>> =>
    (await socket.timeout(patienceMs).emitWithAck(name, ...payloads)) as Ack<unknown>
  const all = <Name extends ServerEventName>(name: Name): ServerPayload<Name>[] =>
    heard.flatMap((event) =>
      event.name === name ? [serverEvents[name].parse(event.payload) as ServerPayload<Name>] : [],
    )

  return {
    socket,
    user,
    heard,
    askRaw,
    all,
    async ask(name, payload) {
      const answer = (await askRaw(name, payload)) as Ack<ClientAck<typeof name>>
      if (!answer.ok) throw fromWireError(answer.error)
      return answer.data
    },
    hear: (name, fits = () => true) =>
      vi.waitFor(() => {
        const found = all(name).find(fits)
        if (!found) throw new Error(`${name} was not heard, only ${heard.map((event) => event.name).join()}`)
        return found
      }),
    forget: () => void heard.splice(0),
    close: () => void socket.close(),
  }
}

export interface TestRoom {
  id: string
  owner: TestClient
  tracks: Track[]
}

/** A room that `owner` made and joined, with the tracks t1, t2 ... known to the server; the first is current, paused. */
export async function openJoinedRoom(
  app: TestApp,
  options: { trackCount?: number; durationMs?: number; password?: string } = {},
): Promise<TestRoom> {
  const owner = await connect(app, await signUp(app, 'owner'))
  const { id } = await app.call<{ id: string }>(owner.user, 'POST', '/api/rooms', {
    name: 'Room',
    isPublic: options.password === undefined,
    password: options.password,
  })
  await owner.ask('join_room', { roomId: id })
  // Otherwise the first track would start by itself.
  await app.rooms.runtime.runCommand(id, { type: 'pause' }, serverActor)
  const tracks = await storeTracks(app.db, options.trackCount ?? 3, options.durationMs ?? 200_000)
  for (const track of tracks) {
    await app.call(owner.user, 'POST', `/api/rooms/${id}/queue`, { trackId: track.id })
  }
  return { id, owner, tracks }
}

/** Stores tracks named t1, t2 ... as a provider would have found them. */
export async function storeTracks(db: Db, count: number, durationMs = 200_000): Promise<Track[]> {
  const tracks = Array.from({ length: count }, (_, index) => makeTrack(`t${index + 1}`, durationMs))
  await upsertTracks(db, tracks, 1)
  return tracks
}

/** Joins a room as a new user. */
export async function joinAs(app: TestApp, roomId: string, name: string): Promise<TestClient> {
  const client = await connect(app, await signUp(app, name))
  await client.ask('join_room', { roomId })
  return client
}

/** The real time, which tests of the real clock compare with, ms. */
export const wallClock: Pick<Clock, 'now'> = { now: () => performance.timeOrigin + performance.now() }

/** A room with the current track t1 and `count` entries t1, t2, t3, t1 ... */
export async function openLongRoom(app: TestApp, count: number) {
  const room = await openJoinedRoom(app, { trackCount: 1 })
  await storeTracks(app.db, 3)
  const fill = Array.from({ length: count }, (_, index) => ({ id: `t${(index % 3) + 1}` }))
  await room.owner.ask('queue_updated', { roomId: room.id, queue: fill })
  return room
}

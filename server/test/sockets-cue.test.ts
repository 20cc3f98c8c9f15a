import { limits } from '@earshot/core/limits'
import type { PlaybackState } from '@earshot/core/protocol/entities'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { describe, expect, it, vi } from 'vitest'
import { type TestApp, signUp, startApp } from './apps.ts'
import { startTwo } from './two-servers.ts'
import { type TestClient, type TestRoom, joinAs, openJoinedRoom } from './sockets.ts'
import { serverLimits } from '../src/server-limits.ts'

/** The clock of these servers stands still, so what starts before it is moved did not wait for the deadline. */

/** A room that plays, whose owner then goes on to t2: it is cued, and waits for the members to load it. */
async function cueNext({ id: roomId, owner }: TestRoom): Promise<PlaybackState> {
  await owner.ask('direct_command', { roomId, command: 'play' })
  const { state } = await owner.ask('direct_command', { roomId, command: 'next' })
  expect(state).toMatchObject({ track_id: 't2', is_playing: false, cueing: true })
  return state
}

function reportReady(client: TestClient, roomId: string, cued: PlaybackState): Promise<object> {
  const ready = { roomId, trackId: cued.track_id, sequenceNumber: cued.sequence_number }
  return client.ask('track_ready', ready)
}

const isWaiting = async (client: TestClient, roomId: string): Promise<boolean> =>
  (await client.ask('request_sync', { roomId })).state.cueing === true

const hearStart = (client: TestClient, { track_id }: PlaybackState) =>
  client.hear('playback_updated', ({ state }) => state.is_playing && state.track_id === track_id)

async function hangUp(app: TestApp, client: TestClient): Promise<void> {
  const before = app.socketCount()
  client.close()
  await vi.waitFor(() => expect(app.socketCount()).toBe(before - 1))
}

describe('a cued track', () => {
  it('4.13b, 7.18 waits for the listeners and starts when all are ready', async () => {
    const app = await startApp({ clock: createFakeClock() })
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'listener')
    await owner.ask('direct_command', { roomId, command: 'play' })
    const change = { roomId, trackId: 't3', position: 0, isPlaying: true }
    const { state: cued } = await owner.ask('track_changed', change)
    expect(cued).toMatchObject({ track_id: 't3', is_playing: false, cueing: true })

    await reportReady(owner, roomId, cued)
    await reportReady(owner, roomId, cued)
    expect(await isWaiting(owner, roomId)).toBe(true)
    await reportReady(listener, roomId, cued)
    const { state } = await hearStart(listener, cued)
    expect(state.sender_id).toBeNull()
    await listener.hear('direct_command', (heard) => heard.sequence_number === state.sequence_number)
    expect((await listener.ask('request_sync', { roomId })).queue.map((entry) => entry.id)).toEqual(['t2'])
  })

  it('4.13b is held up by a straggler for no more than 3 s', async () => {
    const clock = createFakeClock()
    const app = await startApp({ clock })
    const room = await openJoinedRoom(app)
    const listener = await joinAs(app, room.id, 'listener')
    const cued = await cueNext(room)
    await reportReady(room.owner, room.id, cued)
    clock.advance(limits.cueTimeoutMs - 1)
    expect(await isWaiting(listener, room.id)).toBe(true)
    clock.advance(1)
    const { state } = await hearStart(listener, cued)
    expect(state.timestamp - cued.timestamp).toBeGreaterThanOrEqual(limits.cueTimeoutMs)
  })

  it('17.457 is that of a room that is to play while a listener loads it', async () => {
    const app = await startApp({ clock: createFakeClock() })
    const { id: roomId, owner } = await openJoinedRoom(app)
    const listener = await joinAs(app, roomId, 'listener')
    const report = (cause: 'buffering' | 'paused') =>
      listener.ask('sync_report', { roomId, errorMs: null, cause, rttMs: 20, player: 'library' })
    const press = async (command: 'play' | 'pause') =>
      (await owner.ask('direct_command', { roomId, command })).state

    await report('buffering')
    const cued = await press('play')
    expect(cued).toMatchObject({ track_id: 't1', is_playing: false, cueing: true })
    await reportReady(owner, roomId, cued)
    expect(await isWaiting(owner, roomId)).toBe(true)
    await reportReady(listener, roomId, cued)
    await hearStart(listener, cued)

    await press('pause')
    await report('paused')
    expect(await press('play')).toMatchObject({ is_playing: true, cueing: false })
  })

  it('4.13b does not wait for members whose connection is gone, though they are still members', async () => {
    const app = await startApp({ clock: createFakeClock() })
    const room = await openJoinedRoom(app)
    await hangUp(app, await joinAs(app, room.id, 'away'))
    const cued = await cueNext(room)
    await reportReady(room.owner, room.id, cued)
    await hearStart(room.owner, cued)
    expect((await room.owner.ask('request_sync', { roomId: room.id })).memberCount).toBe(2)
  })

  it('4.13b does not wait for members who only call over HTTP', async () => {
    const app = await startApp({ clock: createFakeClock() })
    const room = await openJoinedRoom(app)
    await app.call(await signUp(app, 'caller'), 'POST', `/api/rooms/${room.id}/join`, {})
    const cued = await cueNext(room)
    await reportReady(room.owner, room.id, cued)
    await hearStart(room.owner, cued)
    expect((await room.owner.ask('request_sync', { roomId: room.id })).memberCount).toBe(2)
  })

  it('4.13b starts when the one it waited for hangs up or leaves', async () => {
    const app = await startApp({ clock: createFakeClock() })
    const leave: ((client: TestClient, roomId: string) => Promise<unknown>)[] = [
      (client) => hangUp(app, client),
      (client, roomId) => client.ask('user_left', { roomId }),
      (client, roomId) => app.call(client.user, 'POST', `/api/rooms/${roomId}/leave`),
    ]
    for (const goAway of leave) {
      const room = await openJoinedRoom(app)
      const straggler = await joinAs(app, room.id, 'straggler')
      const cued = await cueNext(room)
      await reportReady(room.owner, room.id, cued)
      expect(await isWaiting(room.owner, room.id)).toBe(true)
      await goAway(straggler, room.id)
      await hearStart(room.owner, cued)
    }
  })

  it('4.13b waits for its deadline where nobody is left, and starts then', async () => {
    const clock = createFakeClock()
    const app = await startApp({ clock })
    const room = await openJoinedRoom(app)
    await cueNext(room)
    await hangUp(app, room.owner)
    const readRoom = () => app.call<{ room: { is_playing: boolean } }>(null, 'GET', `/api/rooms/${room.id}`)
    expect((await readRoom()).room.is_playing).toBe(false)
    clock.advance(limits.cueTimeoutMs)
    await vi.waitFor(async () => expect((await readRoom()).room.is_playing).toBe(true))
  })
})

describe('a cued track in a room of two processes', () => {
  it('4.13b starts when the one it waited for hangs up on the other process', async () => {
    const [first, second] = await startTwo()
    const room = await openJoinedRoom(first)
    const straggler = await joinAs(second, room.id, 'straggler')
    const cued = await cueNext(room)
    await reportReady(room.owner, room.id, cued)
    expect(await isWaiting(straggler, room.id)).toBe(true)
    await hangUp(second, straggler)
    await hearStart(room.owner, cued)
  })

  it('4.13b in a room over 20 starts when 90 % are ready, wherever they are', async () => {
    const [first, second] = await startTwo()
    const room = await openJoinedRoom(first)
    const ann = await joinAs(second, room.id, 'ann')
    const crowd = Array.from({ length: 20 }, (_, index) => `u${index}`)
    const leases = crowd.map((userId) => ({
      roomId: room.id,
      userId,
      holderId: 's',
      member: { id: userId, username: userId, avatar_url: null, is_owner: false },
      isConnected: true,
    }))
    await first.rooms.presence.acquire(leases.slice(0, 10), serverLimits.presenceLeaseMs)
    await second.rooms.presence.acquire(leases.slice(10), serverLimits.presenceLeaseMs)
    const cued = await cueNext(room)
    // With the two clients they are 22, of whom 20 must be ready.
    for (const [index, userId] of crowd.slice(0, 19).entries()) {
      const { readiness } = (index < 10 ? first : second).rooms
      await readiness.reportReady(room.id, cued.sequence_number, userId)
    }
    expect(await isWaiting(ann, room.id)).toBe(true)
    await reportReady(ann, room.id, cued)
    await hearStart(room.owner, cued)
    await hearStart(ann, cued)
  })
})

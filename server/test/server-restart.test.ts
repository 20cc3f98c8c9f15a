import { limits } from '@earshot/core/limits'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { describe, expect, it, vi } from 'vitest'
import { signUp, startApp } from './apps.ts'
import { makeFolder } from './folders.ts'
import { connect, joinAs, openJoinedRoom } from './sockets.ts'
import { serverLimits } from '../src/server-limits.ts'

describe('a server that starts again on its data', () => {
  it('1.2c goes on playing: whoever comes back finds the room where it would be', async () => {
    const [dataDir, clock] = [await makeFolder(), createFakeClock()]
    const before = await startApp({ dataDir, clock })
    const { id: roomId, owner } = await openJoinedRoom(before, { durationMs: 60_000 })
    const { state } = await owner.ask('direct_command', { roomId, command: 'play' })
    await before.close()

    clock.advance(20_000)
    const after = await startApp({ dataDir, clock })
    const back = await connect(after, owner.user)
    const snapshot = await back.ask('join_room', { roomId })
    expect(snapshot.state).toMatchObject({
      is_playing: true,
      timestamp: state.timestamp,
      current_position: 0,
    })
    expect(snapshot.queue.map((entry) => entry.id)).toEqual(['t2', 't3'])
    clock.advance(serverLimits.initialStateBroadcastMs)
    expect((await back.ask('request_sync', { roomId })).state.sequence_number).toBe(state.sequence_number)

    await vi.waitFor(
      () => {
        clock.advance(500)
        expect(back.all('playback_updated').some((heard) => heard.state.track_id === 't2')).toBe(true)
      },
      { interval: 5 },
    )
  })

  it('16.97 ends its connections as a lost network does: a standard client connects again by itself', async () => {
    const app = await startApp()
    const { socket } = await connect({ address: app.address, atEnd: () => {} }, await signUp(app, 'ann'))
    const reason = new Promise<string>((resolve) => socket.once('disconnect', resolve))
    await app.close()
    // After `io server disconnect` it would not.
    expect(await reason).toBe('transport close')
  })

  it('4.13b waits on with what was cued, for whoever comes back', async () => {
    const [dataDir, clock] = [await makeFolder(), createFakeClock()]
    const before = await startApp({ dataDir, clock })
    const { id: roomId, owner } = await openJoinedRoom(before)
    const ann = await joinAs(before, roomId, 'ann')
    await owner.ask('direct_command', { roomId, command: 'play' })
    const { state: cued } = await owner.ask('direct_command', { roomId, command: 'next' })
    await before.close()

    clock.advance(limits.cueTimeoutMs / 2)
    const after = await startApp({ dataDir, clock })
    const clients = [await connect(after, owner.user), await connect(after, ann.user)]
    for (const client of clients) await client.ask('join_room', { roomId })
    const [back, other] = clients
    const ready = { roomId, trackId: 't2', sequenceNumber: cued.sequence_number }
    await back!.ask('track_ready', ready)
    expect((await back!.ask('request_sync', { roomId })).state).toMatchObject({ cueing: true })
    await other!.ask('track_ready', ready)
    const { state } = await back!.hear('playback_updated', (heard) => heard.state.is_playing)
    expect(state).toMatchObject({ track_id: 't2', current_position: 0 })
  })

  it('4.13b, 1.2c starts what was cued at its deadline, though nobody has come back', async () => {
    const [dataDir, clock] = [await makeFolder(), createFakeClock()]
    const before = await startApp({ dataDir, clock })
    const { id: roomId, owner } = await openJoinedRoom(before)
    await owner.ask('direct_command', { roomId, command: 'play' })
    await owner.ask('direct_command', { roomId, command: 'next' })
    await before.close()

    const after = await startApp({ dataDir, clock })
    const readRoom = () => after.call<{ room: object }>(null, 'GET', `/api/rooms/${roomId}`)
    expect((await readRoom()).room).toMatchObject({ current_track_id: 't2', is_playing: false })
    await vi.waitFor(async () => {
      clock.advance(limits.cueTimeoutMs)
      expect((await readRoom()).room).toMatchObject({ current_track_id: 't2', is_playing: true })
    })
  })

  it('7.2 counts who is there, not who was there when it stopped', async () => {
    const [dataDir, clock] = [await makeFolder(), createFakeClock()]
    const before = await startApp({ dataDir, clock })
    const { id: roomId, owner } = await openJoinedRoom(before)
    await joinAs(before, roomId, 'ann')
    await before.close()

    const after = await startApp({ dataDir, clock })
    const back = await connect(after, owner.user)
    const snapshot = await back.ask('join_room', { roomId })
    expect([snapshot.memberCount, snapshot.room.listeners]).toEqual([1, 2])
    await vi.waitFor(async () => {
      clock.advance(serverLimits.presenceRenewMs / 2)
      const { room } = await after.call<{ room: { listeners: number } }>(null, 'GET', `/api/rooms/${roomId}`)
      expect(room.listeners).toBe(1)
    })
    expect((await back.ask('request_sync', { roomId })).members).toHaveLength(1)
  })

  it('4.2b, 7.21 a client that reconnects asks for the snapshot and is where the room is', async () => {
    const app = await startApp()
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ann = await connect(app, (await joinAs(app, roomId, 'ann')).user, {
      reconnection: true,
      reconnectionDelay: 10,
    })
    await ann.ask('join_room', { roomId })
    const reconnected = new Promise<void>((resolve) => ann.socket.once('connect', () => resolve()))
    ann.socket.io.engine.close()
    const { state } = await owner.ask('direct_command', { roomId, command: 'seek', position: 90_000 })
    await reconnected
    await expect(ann.ask('request_sync', { roomId })).rejects.toMatchObject({ code: 'not_a_member' })
    const snapshot = await ann.ask('join_room', { roomId })
    expect(snapshot.state).toMatchObject({ current_position: 90_000, sequence_number: state.sequence_number })
    expect(snapshot.memberCount).toBe(2)
  })

  it('1.2c, 4.16a the owner leaves, and the queue advances by itself', async () => {
    const clock = createFakeClock()
    const app = await startApp({ clock })
    const { id: roomId, owner } = await openJoinedRoom(app, { durationMs: 60_000 })
    const ann = await joinAs(app, roomId, 'ann')
    await owner.ask('direct_command', { roomId, command: 'play' })
    owner.close()
    await vi.waitFor(
      () => {
        clock.advance(500)
        const ids = ann.all('playback_updated').filter((heard) => heard.state.is_playing)
        expect(ids.map((heard) => heard.state.track_id)).toContain('t3')
      },
      { interval: 2 },
    )
    expect((await ann.ask('request_sync', { roomId })).memberCount).toBe(1)
  })
})

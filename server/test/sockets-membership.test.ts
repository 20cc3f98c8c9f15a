import { limits } from '@earshot/core/limits'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { describe, expect, it, vi } from 'vitest'
import { type TestUser, signUp, shareApp, startApp } from './apps.ts'
import { type TestClient, connect, joinAs, openJoinedRoom, renewable } from './sockets.ts'
import { serverLimits } from '../src/server-limits.ts'
import { otherRates } from '../src/limits/rates.ts'

const refusal = (code: string) => expect.objectContaining({ code })
const names = (members: { username: string }[]): string[] => members.map((member) => member.username)

describe('joining and leaving over sockets', () => {
  const app = shareApp()

  it('5.3, 8.1a a connection without a session is refused with its code', async () => {
    for (const cookie of ['', 'session=made-up']) {
      await expect(connect(app, { id: '', name: '', cookie })).rejects.toMatchObject({
        message: 'User not authenticated',
        data: { code: 'unauthenticated' },
      })
    }
  })

  it('a connection from a foreign page is refused', async () => {
    const user = await signUp(app, 'ann')
    const extraHeaders = { cookie: user.cookie, origin: 'https://evil.example' }
    for (const transport of ['websocket', 'polling'] as const) {
      await expect(connect(app, user, { extraHeaders, transports: [transport] })).rejects.toThrow(
        /websocket error|xhr poll error/,
      )
    }
    const own = await connect(app, user, { extraHeaders: { cookie: user.cookie, origin: app.address } })
    expect(own.socket.connected).toBe(true)
  })

  it('5.8d one user opens so many connections in a while, and so many at a time; others are no worse off', async () => {
    const ann = await signUp(app, 'ann')
    const { points: length } = otherRates.connect
    const clients = await Promise.all(Array.from({ length }, () => connect(app, ann)))
    const refusedFor = async (user: TestUser) =>
      await connect(app, user).catch((error: { data: unknown }) => error.data)
    // By the number at a time where opening them took longer than the window of the rate.
    expect(await refusedFor(ann)).toMatchObject({ code: 'rate_limited' })
    for (const client of clients) client.close()
    await vi.waitFor(() => expect(app.socketCount()).toBe(0))
    const ben = await connect(app, await signUp(app, 'ben'))
    expect(await ben.ask('echo', { test: 1 })).toMatchObject({ test: 1 })
  })

  it('16.159 one connection is in a bounded number of rooms at a time', async () => {
    const client = await connect(app, await signUp(app, 'ann'))
    const rooms = []
    while (rooms.length <= serverLimits.roomsPerConnection) rooms.push(await openJoinedRoom(app))
    const last = rooms.pop()!
    for (const { id } of rooms) await client.ask('join_room', { roomId: id })
    await expect(client.ask('join_room', { roomId: last.id })).rejects.toEqual(refusal('too_many_rooms'))
    await client.ask('join_room', { roomId: rooms[0]!.id })
    await client.ask('user_left', { roomId: rooms[0]!.id })
    await client.ask('join_room', { roomId: last.id })
  })

  it('7.15, 4.7b, 1.2b joining answers with everything that is needed to follow the room', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    await owner.ask('send_message', { roomId, message: 'Welcome' })
    await owner.ask('direct_command', { roomId, command: 'play' })
    owner.close()

    const ann = await connect(app, await signUp(app, 'ann'))
    const snapshot = await ann.ask('join_room', { roomId, user: { id: 'somebody else' } })
    expect(snapshot.room).toMatchObject({ id: roomId, owner: { username: 'owner' }, listeners: 2 })
    expect(snapshot.room).not.toHaveProperty('password')
    expect(snapshot.room.currentTrack?.id).toBe('t1')
    expect(snapshot.queue.map((entry) => entry.id)).toEqual(['t2', 't3'])
    expect(snapshot.state).toMatchObject({ track_id: 't1', is_playing: true })
    expect(names(snapshot.members)).toEqual(['owner', 'ann'])
    expect(snapshot.members.map((member) => member.id)).toContain(ann.user.id)
    expect(snapshot.memberCount).toBe(2)
    expect(snapshot.messages.map((message) => message.content)).toEqual(['Welcome'])
    expect(snapshot.serverTime).toBeGreaterThan(1_700_000_000_000)
  })

  it('7.23b members hear who comes and goes', async () => {
    const app = await startApp()
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ann = await joinAs(app, roomId, 'ann')
    const joined = await owner.hear('userJoin', (heard) => heard.user.username === 'ann')
    expect(joined.user).toEqual({ id: ann.user.id, username: 'ann', avatar_url: null, is_owner: false })
    const presence = await owner.hear('userPresence', (heard) => heard.count === 2)
    expect(names(presence.users)).toEqual(['owner', 'ann'])

    owner.forget()
    await ann.ask('user_left', { roomId })
    const left = await owner.hear('userPresence', (heard) => heard.count === 1)
    expect(names(left.users)).toEqual(['owner'])
    await expect(ann.ask('request_sync', { roomId })).rejects.toEqual(refusal('not_a_member'))
    const { rooms } = await app.call<{ rooms: { listeners: number }[] }>(null, 'GET', '/api/rooms')
    expect(rooms.map((room) => room.listeners)).toEqual([1])
  })

  it('4.7e, 9.7 a second join of the same room changes nothing and is heard by nobody', async () => {
    // The line that tells of the first join is due 2 s after it.
    const app = await startApp({ clock: createFakeClock() })
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ann = await joinAs(app, roomId, 'ann')
    // The last of the events that tell of the first join.
    await owner.hear('userPresence', (heard) => heard.count === 2)
    owner.forget()
    const again = await ann.ask('join_room', { roomId })
    expect(again.memberCount).toBe(2)
    const message = await ann.ask('send_message', { roomId, message: 'still here' })
    await owner.hear('message', (heard) => heard.message.id === message.message.id)
    expect(owner.heard.map((event) => event.name)).toEqual(['message'])
  })

  it('4.7a, 8.1a joining a missing room fails with its message', async () => {
    const ann = await connect(app, await signUp(app, 'ann'))
    await expect(ann.ask('join_room', { roomId: 'nowhere' })).rejects.toMatchObject({
      code: 'room_not_found',
      message: 'Room not found',
    })
  })

  it('6.4a, 6.4b, 6.4c a private room asks for its password, remembers who gave it, and hides what it plays', async () => {
    const app = await startApp()
    const { id: roomId } = await openJoinedRoom(app, { password: 'sesame' })
    const ann = await connect(app, await signUp(app, 'ann'))
    const join = (password?: string) => ann.ask('join_room', { roomId, password })
    const list = async (client: TestClient | null) =>
      (
        await app.call<{ rooms: { currentTrack: unknown; current_track_id: unknown }[] }>(
          client?.user ?? null,
          'GET',
          '/api/rooms',
        )
      ).rooms[0]
    expect(await list(ann)).toMatchObject({
      currentTrack: null,
      current_track_id: null,
      playback_state: { track_id: null },
    })
    await expect(join()).rejects.toEqual(refusal('password_required'))
    await expect(join('wrong')).rejects.toEqual(refusal('wrong_password'))
    expect((await join('sesame')).room.currentTrack?.id).toBe('t1')
    expect(await list(ann)).toMatchObject({ currentTrack: { id: 't1' }, current_track_id: 't1' })
    expect(await list(null)).toMatchObject({ currentTrack: null })

    await ann.ask('user_left', { roomId })
    expect((await join()).memberCount).toBe(2)
  })

  it('a reload is not noticed by the others; whoever stays away is gone after the grace', async () => {
    const clock = createFakeClock()
    const app = await startApp({ clock })
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ann = await joinAs(app, roomId, 'ann')
    await owner.hear('userPresence', (heard) => heard.count === 2)
    owner.forget()

    const reload = async (client: TestClient): Promise<TestClient> => {
      client.close()
      await vi.waitFor(() => expect(app.socketCount()).toBe(1))
      clock.advance(serverLimits.presenceGraceMs / 2)
      const again = await connect(app, client.user)
      await again.ask('join_room', { roomId })
      return again
    }
    const back = await reload(await reload(ann))
    expect(owner.all('userPresence')).toEqual([])

    back.close()
    await vi.waitFor(() => expect(app.socketCount()).toBe(1))
    await vi.waitFor(() => {
      clock.advance(serverLimits.presenceSweepMs)
      expect(owner.all('userPresence').map((heard) => heard.count)).toEqual([1])
    }, renewable)
  })

  it('4.7c a room that never played begins anew a second after its owner joined', async () => {
    const clock = createFakeClock()
    const app = await startApp({ clock })
    const { id: roomId, owner } = await openJoinedRoom(app)
    await owner.ask('direct_command', { roomId, command: 'seek', position: 5_000 })
    await owner.ask('user_left', { roomId })
    clock.advance(10_000)
    const { state } = await owner.ask('join_room', { roomId })
    expect(state.current_position).toBe(5_000)
    owner.forget()
    clock.advance(999)
    expect(owner.all('playback_updated')).toEqual([])
    clock.advance(1)
    const heard = await owner.hear('playback_updated')
    expect(heard.state).toMatchObject({ current_position: 0, is_playing: false, initialJoin: true })
  })

  it('4.7c an owner who comes back does not stop a room that plays', async () => {
    const clock = createFakeClock()
    const app = await startApp({ clock })
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ann = await joinAs(app, roomId, 'ann')
    await owner.ask('direct_command', { roomId, command: 'play' })
    await owner.ask('user_left', { roomId })
    clock.advance(10_000)
    await owner.ask('join_room', { roomId })
    ann.forget()
    clock.advance(1_000)
    await owner.ask('direct_command', { roomId, command: 'seek', position: 90_000 })
    await ann.hear(
      'playback_updated',
      (heard) => heard.state.is_playing && heard.state.current_position === 90_000,
    )
    expect(ann.all('playback_updated')).toHaveLength(1)
  })

  it('4.1a a session that is signed out loses its sockets at once', async () => {
    const [ann, ben] = [
      await connect(app, await signUp(app, 'ann')),
      await connect(app, await signUp(app, 'ben')),
    ]
    await app.call(ann.user, 'POST', '/api/auth/sign-out')
    await vi.waitFor(() => expect(ann.socket.connected).toBe(false))
    expect(ben.socket.connected).toBe(true)
  })

  it('7.3 leaving by call takes the sockets out of the room as well', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ann = await joinAs(app, roomId, 'ann')
    await app.call(ann.user, 'POST', `/api/rooms/${roomId}/leave`)
    await owner.hear('userPresence', (heard) => heard.count === 1)
    await expect(ann.ask('request_sync', { roomId })).rejects.toEqual(refusal('not_a_member'))
  })

  it('a crowd hears of its members in batches', async () => {
    const clock = createFakeClock()
    const app = await startApp({ clock })
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ann = await signUp(app, 'ann')
    const sockets = Array.from({ length: serverLimits.presenceBatchAbove }, (_, index) => ({
      roomId,
      userId: `u${index}`,
      holderId: 's',
      member: { id: `u${index}`, username: `u${index}`, avatar_url: null, is_owner: false },
      isConnected: true,
    }))
    await app.rooms.presence.acquire(sockets, 1_000_000)
    owner.forget()
    for (let turn = 0; turn < 3; turn++) {
      const client = await connect(app, turn === 0 ? ann : await signUp(app, `more${turn}`))
      await client.ask('join_room', { roomId })
    }
    await owner.ask('echo', {})
    expect(owner.all('userPresence')).toEqual([])
    expect(owner.all('userJoin')).toEqual([])
    clock.advance(serverLimits.presenceBatchMs)
    const heard = await owner.hear('userPresence')
    expect(heard.count).toBe(serverLimits.presenceBatchAbove + 4)
    expect(owner.all('userPresence')).toHaveLength(1)
  })

  it('16.134 who joins and leaves behind the first page of a crowd makes it be sent every 10 s at most, with the latest number', async () => {
    expect(serverLimits.presenceCountMs).toBe(10_000)
    const clock = createFakeClock()
    const app = await startApp({ clock })
    const { id: roomId, owner } = await openJoinedRoom(app)
    const leases = Array.from({ length: limits.membersPageSize }, (_, index) => ({
      roomId,
      userId: `u${index}`,
      holderId: 's',
      member: { id: `u${index}`, username: `u${index}`, avatar_url: null, is_owner: false },
      isConnected: true,
    }))
    await app.rooms.presence.acquire(leases, 1_000_000)
    const [rude, rough] = [
      await connect(app, await signUp(app, 'rude')),
      await connect(app, await signUp(app, 'rough')),
    ]
    owner.forget()
    const seconds = 25
    for (let second = 0; second < seconds; second += 1) {
      // In turn: the limit of joins counts in real time.
      const client = second % 4 < 2 ? rude : rough
      await client.ask(second % 2 === 0 ? 'join_room' : 'user_left', { roomId })
      clock.advance(1_000)
      await owner.ask('echo', {})
    }
    const pages = owner.all('userPresence')
    expect(pages.length).toBeGreaterThan(0)
    expect(pages.length).toBeLessThanOrEqual(1 + (seconds * 1_000) / serverLimits.presenceCountMs)
    clock.advance(serverLimits.presenceCountMs)
    await owner.hear('userPresence', ({ count }) => count === limits.membersPageSize + 2)
    // Another page is sent as before, also while a number waits.
    owner.forget()
    await rough.ask('join_room', { roomId })
    clock.advance(1_000)
    await owner.ask('echo', {})
    await app.rooms.presence.releaseUser(roomId, 'u0')
    await rude.ask('user_left', { roomId })
    clock.advance(1_000)
    await owner.hear('userPresence', ({ users }) => users.every(({ id }) => id !== 'u0'))
  })
})

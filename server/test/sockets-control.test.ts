import { randomUUID } from 'node:crypto'
import type { Room } from '@earshot/core/protocol/entities'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { describe, expect, it, vi } from 'vitest'
import { type TestApp, type TestUser, signUp, shareApp } from './apps.ts'
import { type TestClient, connect, joinAs, openJoinedRoom, storeTracks, renewable } from './sockets.ts'
import { startTwo } from './two-servers.ts'
import { serverLimits } from '../src/server-limits.ts'

const refusalOf = (answer: unknown) => (answer as { error?: { code: string } }).error?.code ?? null

/** Sends every event that controls the playback; resolves to the refusal of each, or null. */
async function tryAll(client: TestClient, roomId: string): Promise<(string | null)[]> {
  const send = (name: string, payload: object) => client.askRaw(name, { roomId, ...payload })
  const commands = ['play', 'pause', 'next', 'previous', 'seek'].map((command) =>
    send('direct_command', { command, position: 1_000 }),
  )
  const states = [
    { is_command: true, command: 'play' },
    { current_position: 90_000, manual_seek: true },
    { current_position: 90_000, force_sync: true },
    { duration: 1_000 },
  ].map((state) => send('playback_update', { state }))
  const answers = await Promise.all([...commands, ...states, send('track_changed', { trackId: 't2' })])
  return answers.map(refusalOf)
}

const edit = (app: TestApp, user: TestUser, roomId: string, body: unknown) =>
  app.call<{ room: Room }>(user, 'PATCH', `/api/rooms/${roomId}`, body)

describe('who has the controls, over sockets', () => {
  const app = shareApp()

  it('17.21, 17.22a the controls pass on while the owner is away, are refused afterwards, and everybody sees it', async () => {
    const clock = createFakeClock(performance.timeOrigin)
    const [first, second] = await startTwo(clock)
    const { id: roomId, owner } = await openJoinedRoom(first)
    const ann = await joinAs(second, roomId, 'ann')
    clock.advance(10)
    const cay = await joinAs(first, roomId, 'cay')
    expect(new Set(await tryAll(ann, roomId))).toEqual(new Set(['not_owner']))
    await owner.ask('user_left', { roomId })
    await vi.waitFor(() => {
      clock.advance(serverLimits.presenceSweepMs)
      expect(cay.all('roomUpdate').at(-1)?.room.controller).toEqual({ id: ann.user.id, username: 'ann' })
    }, renewable)
    expect((await ann.hear('roomUpdate', ({ room }) => room.controller !== null)).room.owner_id).toBe(
      owner.user.id,
    )
    clock.advance(5_000)
    expect(new Set(await tryAll(ann, roomId))).toEqual(new Set([null]))
    clock.advance(5_000)
    expect(new Set(await tryAll(cay, roomId))).toEqual(new Set(['not_owner']))
    // The settings stay the owner's.
    await expect(edit(second, ann.user, roomId, { name: 'Mine' })).rejects.toMatchObject({
      code: 'not_owner',
    })

    await owner.ask('join_room', { roomId })
    expect(refusalOf(await owner.askRaw('direct_command', { roomId, command: 'pause' }))).toBeNull()
    await cay.hear('roomUpdate', ({ room }) => room.controller === null)
    clock.advance(5_000)
    await vi.waitFor(async () =>
      expect(refusalOf(await ann.askRaw('direct_command', { roomId, command: 'play' }))).toBe('not_owner'),
    )
  })

  it('17.20a, 17.23 the owner lets everybody control, at once and until further notice', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ann = await joinAs(app, roomId, 'ann')
    await edit(app, owner.user, roomId, { settings: { control: 'everybody' } })
    await ann.hear('roomUpdate', ({ room }) => room.settings.control === 'everybody')
    expect(refusalOf(await ann.askRaw('direct_command', { roomId, command: 'play' }))).toBeNull()
    await edit(app, owner.user, roomId, { settings: { control: 'owner' } })
    expect(refusalOf(await ann.askRaw('direct_command', { roomId, command: 'pause' }))).toBe('not_owner')
  })

  it('17.24 where members remove only their own entries, others are refused', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ann = await joinAs(app, roomId, 'ann')
    await edit(app, owner.user, roomId, { settings: { removal: 'own' } })
    const { queue } = await owner.ask('queue_updated', { roomId, queue: [] })
    const remove = (user: TestUser, entryId: string) =>
      app.call(user, 'DELETE', `/api/rooms/${roomId}/queue/${entryId}`)
    await expect(remove(ann.user, queue[0]!.entry_id)).rejects.toMatchObject({ code: 'not_your_entry' })
    const added = await ann.ask('queue_updated', { roomId, queue: [{ id: 't1' }] })
    await remove(ann.user, added.queue.find(({ added_by }) => added_by === ann.user.id)!.entry_id)
    await remove(owner.user, queue[0]!.entry_id)
  })

  it('17.25 the first track that is added to a new room starts, for clients that only know direct commands too', async () => {
    const owner = await connect(app, await signUp(app, 'owner'))
    const { id: roomId } = await app.call<{ id: string }>(owner.user, 'POST', '/api/rooms', { name: 'Room' })
    await owner.ask('join_room', { roomId })
    const ann = await joinAs(app, roomId, 'ann')
    await storeTracks(app.db, 1)
    await app.call(ann.user, 'POST', `/api/rooms/${roomId}/queue`, { trackId: 't1' })
    const { state } = await ann.hear('playback_updated', (heard) => heard.state.cueing === true)
    for (const client of [owner, ann]) {
      const ready = { roomId, trackId: 't1', sequenceNumber: state.sequence_number }
      await client.ask('track_ready', ready)
    }
    expect((await ann.hear('direct_command')).command).toBe('play')
    const started = await owner.hear('playback_updated', (heard) => heard.state.is_playing)
    expect(started.state).toMatchObject({ track_id: 't1', current_position: 0 })
  })

  it('17.28a a deleted room sends its members away, in all processes', async () => {
    const [first, second] = await startTwo()
    const { id: roomId, owner } = await openJoinedRoom(first)
    const ann = await joinAs(second, roomId, 'ann')
    await expect(second.call(ann.user, 'DELETE', `/api/rooms/${roomId}`)).rejects.toMatchObject({
      code: 'not_owner',
    })
    await second.call(owner.user, 'DELETE', `/api/rooms/${roomId}`)
    for (const client of [owner, ann]) {
      expect(await client.hear('room_closed')).toEqual({ roomId, reason: 'deleted' })
      await vi.waitFor(async () =>
        expect(refusalOf(await client.askRaw('request_sync', { roomId }))).toBe('room_not_found'),
      )
    }
    expect(await second.rooms.presence.countMembers(roomId)).toBe(0)
    expect(refusalOf(await ann.askRaw('join_room', { roomId }))).toBe('room_not_found')
  })

  it('17.27 a room is handed over to a member who is there, and who owned it becomes a listener', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ann = await joinAs(app, roomId, 'ann')
    const give = (from: TestUser, userId: string) =>
      app.call<{ room: Room }>(from, 'POST', `/api/rooms/${roomId}/owner`, { userId })
    const absent = await signUp(app, 'absent')
    await expect(give(owner.user, absent.id)).rejects.toMatchObject({ code: 'not_a_member' })
    await expect(give(ann.user, ann.user.id)).rejects.toMatchObject({ code: 'not_owner' })
    ann.forget()
    const { room } = await give(owner.user, ann.user.id)
    expect(room.owner).toMatchObject({ username: 'ann' })
    expect(
      (await owner.hear('roomUpdate', (heard) => heard.room.owner_id === ann.user.id)).room.controller,
    ).toBeNull()
    const { users } = await ann.hear('userPresence')
    expect(users.map(({ username, is_owner }) => [username, is_owner])).toEqual([
      ['ann', true],
      ['owner', false],
    ])
    expect(refusalOf(await owner.askRaw('direct_command', { roomId, command: 'play' }))).toBe('not_owner')
    expect(refusalOf(await ann.askRaw('direct_command', { roomId, command: 'play' }))).toBeNull()
    await expect(edit(app, owner.user, roomId, { name: 'Mine' })).rejects.toMatchObject({ code: 'not_owner' })
    await edit(app, ann.user, roomId, { name: 'Hers' })
  })

  it('17.65 a room cannot be handed over to who owns 100 rooms', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ann = await joinAs(app, roomId, 'ann')
    const room = await app.db
      .selectFrom('rooms')
      .selectAll()
      .where('id', '=', roomId)
      .executeTakeFirstOrThrow()
    const owned = Array.from({ length: serverLimits.roomsPerUser }, () => ({
      ...room,
      id: randomUUID(),
      owner_id: ann.user.id,
    }))
    await app.db.insertInto('rooms').values(owned).execute()
    const given = app.call(owner.user, 'POST', `/api/rooms/${roomId}/owner`, { userId: ann.user.id })
    await expect(given).rejects.toMatchObject({ code: 'too_many_rooms' })
    await app.db
      .deleteFrom('rooms')
      .where('id', '=', owned[0]?.id ?? '')
      .execute()
    const body = { userId: ann.user.id }
    expect(await app.call(owner.user, 'POST', `/api/rooms/${roomId}/owner`, body)).toMatchObject({
      room: { owner_id: ann.user.id },
    })
  })

  it('17.27 a room cannot be handed over to a guest', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const guest = { id: 'gus', username: 'gus', avatar_url: null, is_owner: false, is_guest: true }
    const lease = { roomId, userId: 'gus', holderId: 'socket', member: guest, isConnected: true }
    await app.rooms.presence.acquire([lease], serverLimits.presenceLeaseMs)
    const given = app.call(owner.user, 'POST', `/api/rooms/${roomId}/owner`, { userId: 'gus' })
    await expect(given).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('guest'),
    })
  })
})

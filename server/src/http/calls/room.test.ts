import { limits } from '@earshot/core/limits'
import type { Member, QueueEntry, Room } from '@earshot/core/protocol/entities'
import { describe, expect, it, vi } from 'vitest'
import { type TestApp, type TestUser, signUp, shareApp, startApp } from '../../../test/apps.ts'
import { joinAs, openJoinedRoom, storeTracks } from '../../../test/sockets.ts'
import { callRates } from '../../limits/rates.ts'

const refusal = (code: string, extra: object = {}) => expect.objectContaining({ code, ...extra })
const names = (rooms: Room[]): string[] => rooms.map((room) => room.name)

const create = async (app: TestApp, user: TestUser | null, input: object): Promise<string> =>
  (await app.call<{ id: string }>(user, 'POST', '/api/rooms', input)).id
const list = async (app: TestApp, user: TestUser | null = null): Promise<Room[]> =>
  (await app.call<{ rooms: Room[] }>(user, 'GET', '/api/rooms')).rooms
const get = async (app: TestApp, roomId: string, user: TestUser | null = null): Promise<Room> =>
  (await app.call<{ room: Room }>(user, 'GET', `/api/rooms/${roomId}`)).room

const app = shareApp()

describe('room calls', () => {
  it('7.1b, 9.27, 3.1a, 3.1b, 9.26 a room is created with a name, is public by default, and plays nothing', async () => {
    const ann = await signUp(app, 'ann')
    const room = await get(app, await create(app, ann, { name: '  Kitchen  ' }))
    const ofGuests = { guests: 'invited', guestsChat: true, guestsQueue: true }
    const ofTracks = { removal: 'anybody', repeat: false, skipVotes: 'off', waitingTracks: null }
    expect(room).toEqual({
      id: room.id,
      name: 'Kitchen',
      owner_id: ann.id,
      owner: { username: 'ann', avatar_url: null },
      is_public: true,
      preferred_source: 'library',
      is_playing: false,
      current_position: 0,
      last_updated: room.created_at,
      current_track_id: null,
      currentTrack: null,
      listeners: 0,
      playback_state: {
        is_playing: false,
        current_position: 0,
        timestamp: room.created_at,
        track_id: null,
        sequence_number: 0,
        sender_id: null,
        duration: 0,
        source: null,
        cueing: false,
      },
      created_at: expect.any(Number),
      settings: { ...ofGuests, ...ofTracks, control: 'hand_over', listed: true },
      controller: null,
    })
  })

  it('7.1c no call changes playback: playback fields are ignored or refused, and there is no such call', async () => {
    const ann = await signUp(app, 'ann')
    const playing = { is_playing: true, current_position: 5, last_updated: 5, listeners: 99 }
    const sent = { ...playing, current_track_id: 't1', playback_state: { is_playing: true } }
    const roomId = await create(app, ann, { name: 'Kitchen', ...sent })
    const before = await get(app, roomId)
    expect(before).toMatchObject({
      is_playing: false,
      current_position: 0,
      listeners: 0,
      current_track_id: null,
    })
    await app.call(ann, 'POST', `/api/rooms/${roomId}/join`, sent)
    const refusals = { PATCH: 'invalid_input', PUT: 'not_found', POST: 'not_found' } as const
    for (const [method, code] of Object.entries(refusals)) {
      const answer = app.call(ann, method, `/api/rooms/${roomId}`, sent)
      await expect(answer).rejects.toEqual(refusal(code))
    }
    expect(await get(app, roomId)).toEqual({ ...before, listeners: 1 })
  })

  it('3.1b an owner without a profile is named Unknown', async () => {
    const ann = await signUp(app, 'ann')
    const roomId = await create(app, ann, { name: 'Kitchen' })
    await app.db.deleteFrom('profiles').where('id', '=', ann.id).execute()
    expect((await get(app, roomId)).owner).toEqual({ username: 'Unknown', avatar_url: null })
  })

  it('5.2b, 5.2c a room needs a name, and a private one a password, neither blank nor too long', async () => {
    const app = await startApp()
    const ann = await signUp(app, 'ann')
    const bad = [
      [{ name: ' ' }, 'Room name required', 'name'],
      [{}, 'Room name required', 'name'],
      [{ name: 'x'.repeat(limits.roomNameMaxLength + 1) }, '80 characters', 'name'],
      [{ name: 'Cellar', isPublic: false }, 'Password required', 'password'],
      [{ name: 'Cellar', isPublic: false, password: '  ' }, 'Password required', 'password'],
      [
        { name: 'Cellar', isPublic: false, password: 'x'.repeat(limits.roomPasswordMaxLength + 1) },
        '128',
        'password',
      ],
    ] as const
    for (const [input, message, path] of bad) {
      await expect(create(app, ann, input)).rejects.toEqual(
        refusal('invalid_input', {
          message: expect.stringContaining(message),
          details: { issues: [expect.objectContaining({ path })] },
        }),
      )
    }
    expect(await list(app)).toEqual([])
  })

  it('5.2d the password of a public room is ignored', async () => {
    const [ann, ben] = [await signUp(app, 'ann'), await signUp(app, 'ben')]
    const roomId = await create(app, ann, { name: 'Kitchen', isPublic: true, password: 'sesame' })
    await app.call(ben, 'POST', `/api/rooms/${roomId}/join`, {})
    const row = await app.db
      .selectFrom('rooms')
      .select('password')
      .where('id', '=', roomId)
      .executeTakeFirst()
    expect(row).toEqual({ password: null })
  })

  it('3.1c the password of a private room is stored as a hash, and is in no response', async () => {
    const app = await startApp()
    const ann = await signUp(app, 'ann')
    const roomId = await create(app, ann, { name: 'Cellar', isPublic: false, password: 'sesame' })
    const stored = await app.db.selectFrom('rooms').select('password').executeTakeFirstOrThrow()
    expect(stored.password).toMatch(/^scrypt:16384:8:1:/)
    for (const answer of [await get(app, roomId, ann), await list(app, ann)]) {
      expect(JSON.stringify(answer)).not.toMatch(/sesame|scrypt|password/)
    }
  })

  it('7.2, 7.1a, 6.6, 6.1 rooms are listed for everybody, by number of listeners, then by the last use', async () => {
    const app = await startApp()
    const [ann, ben] = [await signUp(app, 'ann'), await signUp(app, 'ben')]
    const oldest = await create(app, ann, { name: 'oldest' })
    const middle = await create(app, ann, { name: 'middle' })
    await create(app, ann, { name: 'newest' })
    expect(names(await list(app))).toEqual(['newest', 'middle', 'oldest'])
    const last_updated = Date.now() + 60_000
    await app.db.updateTable('rooms').set({ last_updated }).where('id', '=', middle).execute()
    await vi.waitFor(async () => expect(names(await list(app))).toEqual(['middle', 'newest', 'oldest']))

    await app.call(ben, 'POST', `/api/rooms/${oldest}/join`, {})
    await app.call(ann, 'POST', `/api/rooms/${oldest}/join`, {})
    await app.call(ann, 'POST', `/api/rooms/${middle}/join`, {})
    // The list is read once a second.
    await vi.waitFor(async () => {
      const rooms = await list(app)
      expect(rooms.map((room) => [room.name, room.listeners, room.owner.username])).toEqual([
        ['oldest', 2, 'ann'],
        ['middle', 1, 'ann'],
        ['newest', 0, 'ann'],
      ])
    })
    await app.call(ann, 'POST', `/api/rooms/${oldest}/leave`)
    await app.call(ann, 'POST', `/api/rooms/${oldest}/leave`)
    expect((await get(app, oldest)).listeners).toBe(1)
  })

  it('6.1, 5.2a, 5.3, 8.1a signed-out visitors can neither create nor join', async () => {
    const roomId = await create(app, await signUp(app, 'ann'), { name: 'Kitchen' })
    const unauthenticated = refusal('unauthenticated', { message: 'User not authenticated' })
    await expect(create(app, null, { name: 'Mine' })).rejects.toEqual(unauthenticated)
    for (const [method, path] of [
      ['POST', 'join'],
      ['POST', 'leave'],
      ['GET', 'members'],
      ['GET', 'queue'],
      ['GET', 'messages'],
    ] as const) {
      await expect(
        app.call(null, method, `/api/rooms/${roomId}/${path}`, method === 'POST' ? {} : undefined),
      ).rejects.toEqual(unauthenticated)
    }
  })

  it('4.7a, 8.1a, 7.23c an unknown room is answered with not_found by every call', async () => {
    const ann = await signUp(app, 'ann')
    const calls = [
      ['GET', '', undefined],
      ['POST', '/join', {}],
      ['GET', '/members', undefined],
      ['GET', '/queue', undefined],
      ['POST', '/queue', { trackId: 't1' }],
      ['DELETE', '/queue/e1', undefined],
      ['GET', '/messages', undefined],
      ['POST', '/messages', { content: 'hello' }],
    ] as const
    for (const [method, path, body] of calls) {
      await expect(app.call(ann, method, `/api/rooms/nowhere${path}`, body)).rejects.toEqual(
        refusal('room_not_found', { message: 'Room not found' }),
      )
    }
    expect(await app.call(ann, 'POST', '/api/rooms/nowhere/leave')).toEqual({})
  })

  it('6.4a, 6.4b, 6.4c a private room is joined with its password, and shows its playback to admitted users', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app, { password: 'sesame' })
    const ben = await signUp(app, 'ben')
    const join = (password?: string) => app.call(ben, 'POST', `/api/rooms/${roomId}/join`, { password })
    expect(await get(app, roomId, owner.user)).toMatchObject({ currentTrack: { id: 't1' } })
    expect(await get(app, roomId, ben)).toMatchObject({ currentTrack: null, current_track_id: null })
    await expect(join()).rejects.toEqual(refusal('password_required'))
    await expect(join('wrong')).rejects.toEqual(refusal('wrong_password'))
    expect(await join('sesame')).toMatchObject({ room: { id: roomId, currentTrack: { id: 't1' } } })
    await app.call(ben, 'POST', `/api/rooms/${roomId}/leave`)
    expect(await join()).toMatchObject({ room: { id: roomId } })
  })
})

describe('member and queue calls', () => {
  it('7.3, 3.9 members are listed in pages, the owner first on their page, whatever identity the payload claims', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const ben = await signUp(app, 'ben')
    await app.call(ben, 'POST', `/api/rooms/${roomId}/join`, {
      user_id: owner.user.id,
      p_user_id: owner.user.id,
    })
    type Page = { members: Member[]; memberCount: number }
    const page = await app.call<Page>(ben, 'GET', `/api/rooms/${roomId}/members`)
    expect(page).toEqual({
      members: [
        { id: owner.user.id, username: 'owner', avatar_url: null, is_owner: true },
        { id: ben.id, username: 'ben', avatar_url: null, is_owner: false },
      ],
      memberCount: 2,
    })
    const next = await app.call<Page>(ben, 'GET', `/api/rooms/${roomId}/members?offset=1`)
    expect(next.members.map((member) => member.username)).toEqual(['ben'])
  })

  it('16.322 whole queues are sent to a user 60 times in 10 s, whichever call asks for them', async () => {
    const { id: roomId } = await openJoinedRoom(app)
    const { user } = await joinAs(app, roomId, 'ben')
    const path = `/api/rooms/${roomId}/queue`
    const read = () => app.call(user, 'GET', path)
    const add = (brief: boolean) => app.call(user, 'POST', path, { trackId: 't1', brief })
    await add(false)
    for (let sent = 1; sent < callRates.wholeQueues.points; sent += 1) await read()
    for (const isRefused of [read, () => add(false)]) {
      await expect(isRefused()).rejects.toEqual(refusal('rate_limited'))
    }
    await add(true)
  })

  it('4.17a, 4.17b, 7.5a, 7.5b, 3.3, 6.2a tracks are added by id to the end of the queue, as the user of the session', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app, { trackCount: 0 })
    await storeTracks(app.db, 3)
    const ben = await joinAs(app, roomId, 'ben')
    const add = async (user: TestUser, trackId: string): Promise<QueueEntry[]> =>
      (
        await app.call<{ queue: QueueEntry[] }>(user, 'POST', `/api/rooms/${roomId}/queue`, {
          trackId,
          added_by: 'whoever',
        })
      ).queue
    expect(await add(owner.user, 't1')).toEqual([])
    expect(await get(app, roomId)).toMatchObject({
      current_track_id: 't1',
      is_playing: false,
      current_position: 0,
    })
    await add(ben.user, 't2')
    await add(owner.user, 't3')
    const { queue } = await app.call<{ queue: QueueEntry[] }>(ben.user, 'GET', `/api/rooms/${roomId}/queue`)
    expect(queue.map((entry) => [entry.position, entry.id, entry.added_by])).toEqual([
      [0, 't2', ben.user.id],
      [1, 't3', owner.user.id],
    ])
    expect(new Set(queue.map((entry) => entry.entry_id)).size).toBe(2)
  })

  it('7.23c malformed input is rejected by every call', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app)
    const calls = [
      ['POST', '/queue', {}],
      ['POST', '/queue', { trackId: 7 }],
      ['POST', '/queue', []],
      ['POST', '/messages', { content: '  ' }],
      ['POST', '/messages', { content: { text: 'hello' } }],
      ['POST', '/join', { password: 7 }],
      ['GET', '/members?offset=-1', undefined],
      ['GET', '/members?offset=many', undefined],
      ['GET', `/messages?before=${'x'.repeat(101)}`, undefined],
    ] as const
    for (const [method, path, body] of calls) {
      const answer = app.call(owner.user, method, `/api/rooms/${roomId}${path}`, body)
      await expect(answer).rejects.toEqual(refusal('invalid_input'))
    }
    await expect(app.call(owner.user, 'GET', `/api/rooms/${'x'.repeat(65)}`)).rejects.toEqual(
      refusal('invalid_input'),
    )
  })
})

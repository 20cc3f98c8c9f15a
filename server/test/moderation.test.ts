import { createFakeClock } from '@earshot/core/testing/fake-clock'
import type { RoomBan } from '@earshot/core/protocol/moderation-calls'
import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import {
  type TestApp,
  type TestUser,
  enterAsGuest,
  signUp,
  signUpOverHttp,
  shareApp,
  startApp,
} from './apps.ts'
import { captureLog } from './log.ts'
import { ask, cookiesOf } from './ask.ts'
import { makeDataFolder } from './databases.ts'
import { type TestClient, type TestRoom, connect, joinAs, openJoinedRoom } from './sockets.ts'
import { startTwo } from './two-servers.ts'
import { serverLimits } from '../src/server-limits.ts'

const refusal = (code: string) => expect.objectContaining({ code })

/** The calls by which the owner of a room acts on its members. */
function ownerOf(app: TestApp, { id: roomId, owner }: TestRoom, by: TestUser = owner.user) {
  const at = (path: string) => `/api/rooms/${roomId}/${path}`
  return {
    kick: (userId: string) => app.call(by, 'POST', at(`members/${userId}/kick`)),
    ban: (userId: string) => app.call(by, 'POST', at(`bans/${userId}`)),
    lift: (userId: string) => app.call(by, 'DELETE', at(`bans/${userId}`)),
    bans: async () => (await app.call<{ bans: RoomBan[] }>(by, 'GET', at('bans'))).bans,
  }
}

/** Resolves when a client was told that it was removed, and is no member any more. */
async function isRemoved(client: TestClient, roomId: string, reason: 'kicked' | 'banned') {
  expect(await client.hear('removed_from_room')).toEqual({ roomId, reason })
  await expect(client.ask('request_sync', { roomId })).rejects.toEqual(refusal('not_a_member'))
}

const app = shareApp()

describe('removing members', () => {
  it('16.89 a kick and a ban are in the security log, with who did it to whom and where', async () => {
    const { logger, lines } = captureLog()
    const app = await startApp({ logger })
    const room = await openJoinedRoom(app)
    const ann = await joinAs(app, room.id, 'ann')
    await ownerOf(app, room).kick(ann.user.id)
    await ownerOf(app, room).ban(ann.user.id)
    const logged = lines.filter(({ security }) => security !== undefined && security !== 'account_created')
    const details = { address: '127.0.0.1', target: ann.user.id, at: room.id }
    expect(logged).toEqual([
      expect.objectContaining({ security: 'kicked', ...details }),
      expect.objectContaining({ security: 'banned', ...details }),
    ])
    expect(logged[0]?.['userId']).not.toBe(ann.user.id)
  })

  it('16.262 who kicks nobody, or bans again, adds no line to the security log', async () => {
    const { logger, lines } = captureLog()
    const app = await startApp({ logger })
    const room = await openJoinedRoom(app)
    const ann = await signUp(app, 'ann')
    for (const userId of ['nobody', ann.id])
      for (let turn = 0; turn < 3; turn += 1) await ownerOf(app, room).kick(userId)
    for (let turn = 0; turn < 3; turn += 1) await ownerOf(app, room).ban(ann.id)
    expect(lines.filter(({ security }) => security === 'kicked')).toEqual([])
    expect(lines.filter(({ security }) => security === 'banned')).toHaveLength(1)
  })

  it('17.30 a kick ends the membership in all tabs, which are told; the member may come back', async () => {
    const room = await openJoinedRoom(app)
    const ann = await joinAs(app, room.id, 'ann')
    const secondTab = await connect(app, ann.user)
    await secondTab.ask('join_room', { roomId: room.id })
    await room.owner.hear('userPresence', ({ count }) => count === 2)
    room.owner.forget()

    await ownerOf(app, room).kick(ann.user.id)
    await isRemoved(ann, room.id, 'kicked')
    await isRemoved(secondTab, room.id, 'kicked')
    await room.owner.hear('userPresence', ({ count }) => count === 1)
    ann.forget()
    await room.owner.ask('send_message', { roomId: room.id, message: 'not for ann' })
    await ann.ask('echo', {})
    expect(ann.all('message')).toEqual([])
    await expect(app.call(ann.user, 'GET', `/api/rooms/${room.id}/messages`)).rejects.toEqual(
      refusal('not_a_member'),
    )

    expect((await ann.ask('join_room', { roomId: room.id })).memberCount).toBe(2)
  })

  it('17.31 a ban refuses by HTTP and by socket, with an invite, after a restart; lifting it admits again', async () => {
    const dataDir = await makeDataFolder()
    const before = await startApp({ dataDir })
    const room = await openJoinedRoom(before, { password: 'sesame' })
    const { token } = await before.call<{ token: string }>(
      room.owner.user,
      'POST',
      `/api/rooms/${room.id}/invites`,
    )
    const ann = await connect(before, await signUp(before, 'ann'))
    await ann.ask('join_room', { roomId: room.id, password: 'sesame' })
    await ownerOf(before, room).ban(ann.user.id)
    await isRemoved(ann, room.id, 'banned')
    await before.close()

    const app = await startApp({ dataDir })
    const keys = [{}, { password: 'sesame' }, { invite: token }]
    const back = await connect(app, ann.user)
    for (const key of keys) {
      const text = 'The owner of this room has banned you from it'
      const answer = { code: 'banned', message: text }
      await expect(back.ask('join_room', { roomId: room.id, ...key })).rejects.toMatchObject(answer)
      const joining = app.call(ann.user, 'POST', `/api/rooms/${room.id}/join`, key)
      await expect(joining).rejects.toMatchObject(answer)
    }
    // The track of the room is hidden again.
    const { room: seen } = await app.call<{ room: unknown }>(ann.user, 'GET', `/api/rooms/${room.id}`)
    expect(seen).toMatchObject({ currentTrack: null })

    const owner = ownerOf(app, room)
    expect(await owner.bans()).toEqual([
      { user_id: ann.user.id, username: 'ann', avatar_url: null, created_at: expect.any(Number) },
    ])
    await owner.lift(ann.user.id)
    expect(await owner.bans()).toEqual([])
    await back.ask('join_room', { roomId: room.id, invite: token })
  })

  it('17.31 a ban reaches members of other processes, and is refused there', async () => {
    const [first, second] = await startTwo()
    const room = await openJoinedRoom(first)
    const ann = await joinAs(second, room.id, 'ann')
    await ownerOf(first, room).ban(ann.user.id)
    await isRemoved(ann, room.id, 'banned')
    await expect(ann.ask('join_room', { roomId: room.id })).rejects.toEqual(refusal('banned'))
    expect(await first.rooms.presence.countMembers(room.id)).toBe(1)
  })

  it('17.31 the ban of a guest holds for new guests from the same address for a day, and for their account', async () => {
    const clock = createFakeClock(Date.now())
    const app = await startApp({ clock })
    const room = await openJoinedRoom(app)
    const settings = JSON.stringify({ guests: 'everyone' })
    await app.db.updateTable('rooms').set({ settings }).execute()
    const gus = await enterAsGuest(app, 'Gus')
    const client = await connect(app, gus)
    await client.ask('join_room', { roomId: room.id })
    await ownerOf(app, room).ban(gus.id)
    await isRemoved(client, room.id, 'banned')

    const again = await connect(app, await enterAsGuest(app, 'Gus again'))
    await expect(again.ask('join_room', { roomId: room.id })).rejects.toEqual(refusal('network_banned'))
    // Accounts from that address are not affected: a household shares it.
    await (await connect(app, await signUpOverHttp(app, 'ann'))).ask('join_room', { roomId: room.id })
    const answer = await ask(`${app.address}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { origin: app.address, cookie: gus.cookie },
      body: { email: 'gus@example.org', password: 'correct horse' },
    })
    const account = { ...gus, cookie: cookiesOf(answer) }
    const joining = app.call(account, 'POST', `/api/rooms/${room.id}/join`, {})
    await expect(joining).rejects.toEqual(refusal('banned'))

    clock.advance(serverLimits.guestBanMs)
    await again.ask('join_room', { roomId: room.id })
  })

  it('17.347 guests from the address of a banned one who came before the ban stay, leave and come back', async () => {
    const clock = createFakeClock(Date.now())
    const app = await startApp({ clock })
    const room = await openJoinedRoom(app)
    await app.db
      .updateTable('rooms')
      .set({ settings: JSON.stringify({ guests: 'everyone' }) })
      .execute()
    const [gus, gwen] = [await enterAsGuest(app, 'Gus'), await enterAsGuest(app, 'Gwen')]
    const client = await connect(app, gwen)
    await client.ask('join_room', { roomId: room.id })
    clock.advance(1_000)
    await ownerOf(app, room).ban(gus.id)

    await client.ask('request_sync', { roomId: room.id })
    await app.call(gwen, 'POST', `/api/rooms/${room.id}/leave`)
    await client.ask('join_room', { roomId: room.id })
    const back = await connect(app, gwen)
    await back.ask('join_room', { roomId: room.id })
    await app.call(gwen, 'POST', `/api/rooms/${room.id}/join`, {})
    await client.ask('request_sync', { roomId: room.id })
    const newcomer = await connect(app, await enterAsGuest(app, 'Gil'))
    const text = 'New guests from this network cannot join this room for now. Sign in to join'
    const answer = { code: 'network_banned', message: text }
    await expect(newcomer.ask('join_room', { roomId: room.id })).rejects.toMatchObject(answer)
  })

  it('16.155 a guest who signs in to a banned account is no member, and one who signs in to the owner bans nobody', async () => {
    const app = await startApp({ clock: createFakeClock(Date.now()) })
    const [room, own] = [await openJoinedRoom(app), await openJoinedRoom(app)]
    await app.db
      .updateTable('rooms')
      .set({ settings: JSON.stringify({ guests: 'everyone' }) })
      .execute()
    const ann = await signUpOverHttp(app, 'ann')
    await app.db.updateTable('rooms').set({ owner_id: ann.id }).where('id', '=', own.id).execute()
    const { rows } = await sql<{ email: string }>`select "email" from "user" where "id" = ${ann.id}`.execute(
      app.db,
    )
    const email = rows[0]?.email
    await ownerOf(app, room).ban(ann.id)
    const gus = await enterAsGuest(app, 'Gus')
    await app.call(gus, 'POST', `/api/rooms/${room.id}/join`, {})
    await app.call(ann, 'POST', `/api/rooms/${own.id}/bans/${gus.id}`)
    const answer = await ask(`${app.address}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { origin: app.address, cookie: gus.cookie },
      body: { email, password: 'correct horse' },
    })
    expect(answer.status).toBe(200)
    const reading = app.call(ann, 'GET', `/api/rooms/${room.id}/queue`)
    await expect(reading).rejects.toEqual(refusal('not_a_member'))
    await app.call(ann, 'POST', `/api/rooms/${own.id}/join`, {})
  })

  it('17.31 a ban during a join wins', async () => {
    const room = await openJoinedRoom(app)
    const ann = await connect(app, await signUp(app, 'ann'))
    await Promise.allSettled([
      ann.ask('join_room', { roomId: room.id }),
      ownerOf(app, room).ban(ann.user.id),
      ann.ask('join_room', { roomId: room.id }),
    ])
    await vi.waitFor(async () => expect(await app.rooms.presence.countMembers(room.id)).toBe(1))
    await expect(ann.ask('request_sync', { roomId: room.id })).rejects.toEqual(refusal('not_a_member'))
  })

  it('17.32 only the owner removes members, not even who has the controls; nobody removes the owner', async () => {
    const room = await openJoinedRoom(app)
    const ann = await joinAs(app, room.id, 'ann')
    const ben = await joinAs(app, room.id, 'ben')
    await app.db.updateTable('rooms').set({ controller_id: ann.user.id }).where('id', '=', room.id).execute()
    const acting = ownerOf(app, room, ann.user)
    const attempts = [acting.kick(ben.user.id), acting.ban(ben.user.id), acting.lift('x'), acting.bans()]
    for (const attempt of attempts) await expect(attempt).rejects.toEqual(refusal('not_owner'))
    const owner = ownerOf(app, room)
    const self = room.owner.user.id
    for (const attempt of [owner.kick(self), owner.ban(self)]) {
      await expect(attempt).rejects.toEqual(refusal('invalid_input'))
    }
    await expect(owner.ban('nobody')).rejects.toEqual(refusal('not_found'))
    await expect(app.call(null, 'GET', `/api/rooms/${room.id}/bans`)).rejects.toEqual(
      refusal('unauthenticated'),
    )
    await owner.kick('nobody')
    expect(await app.rooms.presence.countMembers(room.id)).toBe(3)
  })

  it('17.31 a room has a bounded number of bans, and says so', async () => {
    const room = await openJoinedRoom(app)
    const ban = { room_id: room.id, banned_by: null, address_hash: null, created_at: 1 }
    const { roomBansMax: length } = serverLimits
    const bans = Array.from({ length }, (_, index) => ({ ...ban, user_id: `u${index}` }))
    await app.db.insertInto('room_bans').values(bans).execute()
    const ann = await joinAs(app, room.id, 'ann')
    const owner = ownerOf(app, room)
    await expect(owner.ban(ann.user.id)).rejects.toThrow(/500 bans/)
    await owner.lift('u7')
    await owner.ban(ann.user.id)
    expect((await owner.bans())[0]).toMatchObject({ username: 'ann' })
  })
})

describe('deleting messages', () => {
  it('17.33 an author deletes their own, the owner any of the room; everybody is told', async () => {
    const room = await openJoinedRoom(app)
    const ann = await joinAs(app, room.id, 'ann')
    const ben = await joinAs(app, room.id, 'ben')
    const say = async (client: TestClient, text: string) =>
      (await client.ask('send_message', { roomId: room.id, message: text })).message.id
    const erase = (client: TestClient, messageId: string, roomId = room.id) =>
      app.call(client.user, 'DELETE', `/api/rooms/${roomId}/messages/${messageId}`)
    const [annsFirst, annsSecond, owners] = [
      await say(ann, 'one'),
      await say(ann, 'two'),
      await say(room.owner, 'three'),
    ]
    await erase(ann, annsFirst)
    expect(await ben.hear('messageDeleted')).toEqual({ roomId: room.id, messageId: annsFirst })
    await erase(room.owner, annsSecond)
    await ben.hear('messageDeleted', ({ messageId }) => messageId === annsSecond)

    await expect(erase(ann, owners)).rejects.toEqual(refusal('not_found'))
    await expect(erase(ann, annsFirst)).rejects.toEqual(refusal('not_found'))
    await expect(erase(room.owner, owners, 'nowhere')).rejects.toEqual(refusal('room_not_found'))
    const { messages } = await ben.ask('request_sync', { roomId: room.id })
    expect(messages?.map(({ content }) => content)).toEqual(['three'])
  })
})

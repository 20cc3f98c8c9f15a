import { randomUUID } from 'node:crypto'
import type { RoomSettings, RoomSnapshot } from '@earshot/core/protocol/entities'
import { sql } from 'kysely'
import { describe, expect, inject, it } from 'vitest'
import { sweepAuthTables } from '../src/auth/sweep.ts'
import {
  type AppOptions,
  enterAsGuest,
  signUpOverHttp,
  shareApp,
  startApp,
  type TestApp,
  type TestUser,
} from './apps.ts'
import { ask, codeOf, cookiesOf } from './ask.ts'
import { createPostgresDatabase, migratedTemplate } from './postgres.ts'
import { connect, openJoinedRoom } from './sockets.ts'
import { otherRates } from '../src/limits/rates.ts'

const refusal = (code: string) => expect.objectContaining({ code })
const dayMs = 86_400_000

async function setSettings(app: TestApp, roomId: string, settings: Partial<RoomSettings>): Promise<void> {
  const columns = { settings: JSON.stringify(settings) }
  await app.db.updateTable('rooms').set(columns).where('id', '=', roomId).execute()
}

async function invite(app: TestApp, owner: TestUser, roomId: string): Promise<string> {
  const path = `/api/rooms/${roomId}/invites`
  return (await app.call<{ token: string }>(owner, 'POST', path)).token
}

const enter = (app: TestApp, body: unknown, headers: Record<string, string> = {}) =>
  ask(`${app.address}/api/auth/sign-in/anonymous`, {
    method: 'POST',
    headers: { origin: app.address, ...headers },
    body,
  })

const engines: [string, () => Promise<AppOptions>][] = [
  ['SQLite', async () => ({})],
  [
    'PostgreSQL',
    async () => ({ databaseUrl: await createPostgresDatabase(inject('postgresUrl'), migratedTemplate) }),
  ],
]

describe('guests', () => {
  const app = shareApp()

  it('17.10 a name is enough to hear, see, add and chat in a room that admits guests', async () => {
    const { id: roomId, owner, tracks } = await openJoinedRoom(app, { trackCount: 1 })
    await setSettings(app, roomId, { guests: 'everyone' })
    const gus = await enterAsGuest(app, '  Gus ')
    const client = await connect(app, gus)
    const snapshot: RoomSnapshot = await client.ask('join_room', { roomId })
    expect(snapshot.room.currentTrack).toMatchObject({ id: tracks[0]?.id })
    const member = { id: gus.id, username: 'Gus', is_owner: false, is_guest: true }
    expect(snapshot.members).toContainEqual(expect.objectContaining(member))
    expect(snapshot.members[0]).not.toHaveProperty('is_guest')
    await client.ask('send_message', { roomId, message: 'Hello' })
    const { message } = await owner.hear('message')
    expect(message).toMatchObject({ username: 'Gus', is_guest: true, content: 'Hello' })
    await app.call(gus, 'POST', `/api/rooms/${roomId}/queue`, { trackId: tracks[0]?.id })
    const profile = { username: 'Gus', email: '' }
    expect(await app.call(gus, 'GET', '/api/profile')).toMatchObject({ profile })
  })

  it('17.10 a guest needs a visible name of at most 60 characters', async () => {
    for (const name of [undefined, '', ' ', '\u200b\u2060', 'x'.repeat(61), 7]) {
      const answer = await enter(app, { name })
      expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_input'])
    }
  })

  it('17.10 who is signed in already is not made a guest', async () => {
    const ann = await signUpOverHttp(app, 'ann')
    expect((await enter(app, { name: 'Ann' }, { cookie: ann.cookie })).status).toBe(400)
    const gus = await enterAsGuest(app, 'Gus')
    expect((await enter(app, { name: 'Gus' }, { cookie: gus.cookie })).status).toBe(400)
  })

  it('17.11a by default guests come to a public room with an invite link only, and may then return without', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app, { trackCount: 0 })
    const gus = await enterAsGuest(app, 'Gus')
    const client = await connect(app, gus)
    const join = (key: object) => app.call(gus, 'POST', `/api/rooms/${roomId}/join`, key)
    await expect(join({})).rejects.toEqual(refusal('guests_not_admitted'))
    await expect(join({ invite: 'guessed' })).rejects.toEqual(refusal('guests_not_admitted'))
    await expect(client.ask('join_room', { roomId })).rejects.toEqual(refusal('guests_not_admitted'))
    await client.ask('join_room', { roomId, invite: await invite(app, owner.user, roomId) })
    await app.call(owner.user, 'DELETE', `/api/rooms/${roomId}/invites`)
    await client.ask('join_room', { roomId })
  })

  it('17.11b the owner may close the room to guests, or open it to all', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app, { trackCount: 0, password: 'sesame' })
    const token = await invite(app, owner.user, roomId)
    const client = await connect(app, await enterAsGuest(app, 'Gus'))
    const join = (key: object) => client.ask('join_room', { roomId, ...key })
    await setSettings(app, roomId, { guests: 'nobody' })
    await expect(join({ invite: token })).rejects.toEqual(refusal('guests_not_admitted'))
    await expect(join({ password: 'sesame' })).rejects.toEqual(refusal('guests_not_admitted'))
    await setSettings(app, roomId, { guests: 'invited' })
    await expect(join({ password: 'sesame' })).rejects.toEqual(refusal('guests_not_admitted'))
    await setSettings(app, roomId, { guests: 'everyone' })
    await expect(join({})).rejects.toEqual(refusal('password_required'))
    await join({ password: 'sesame' })
    await setSettings(app, roomId, { guests: 'nobody' })
    await expect(join({})).rejects.toEqual(refusal('guests_not_admitted'))
  })

  it('17.12 a room may refuse the chat of guests, over HTTP and sockets, and of nobody else', async () => {
    const { id: roomId, owner } = await openJoinedRoom(app, { trackCount: 0 })
    await setSettings(app, roomId, { guests: 'everyone', guestsChat: false })
    const gus = await enterAsGuest(app, 'Gus')
    const client = await connect(app, gus)
    await client.ask('join_room', { roomId })
    const sent = client.ask('send_message', { roomId, message: 'Hello' })
    await expect(sent).rejects.toEqual(refusal('guests_cannot_chat'))
    const posted = app.call(gus, 'POST', `/api/rooms/${roomId}/messages`, { content: 'Hello' })
    await expect(posted).rejects.toMatchObject({ message: 'Guests cannot chat in this room' })
    await owner.ask('send_message', { roomId, message: 'Hello' })
  })

  it('17.13 guests create no rooms, connect no services and delete no account, and search only in a room', async () => {
    const { id: roomId, tracks } = await openJoinedRoom(app, { trackCount: 1 })
    await setSettings(app, roomId, { guests: 'everyone' })
    const gus = await enterAsGuest(app, 'Gus')
    const refused: [string, string, unknown?][] = [
      ['POST', '/api/rooms', { name: 'Mine' }],
      ['POST', '/api/account/delete', { password: 'x' }],
      ['POST', '/api/spotify/authorize'],
      ['POST', '/api/spotify/token'],
      ['POST', '/api/youtube/connect', { apiKey: 'x' }],
      ['GET', '/api/profile/stats'],
    ]
    for (const [method, path, body] of refused) {
      await expect(app.call(gus, method, path, body)).rejects.toEqual(refusal('account_required'))
    }
    const searches: [string, string, unknown?][] = [
      ['GET', '/api/library'],
      ['GET', '/api/library/albums'],
      ['GET', '/api/library/search?q=a'],
      ['GET', '/api/tracks?source=library&q=a'],
      ['GET', `/api/tracks/${tracks[0]?.id}/matches`],
    ]
    for (const [method, path] of searches) {
      await expect(app.call(gus, method, path)).rejects.toEqual(refusal('not_a_member'))
    }
    const link = app.call(gus, 'POST', '/api/links', { url: 'https://youtu.be/abcdefghijk' })
    await expect(link).rejects.toEqual(refusal('not_a_member'))
    await app.call(gus, 'POST', `/api/rooms/${roomId}/join`, {})
    // Their searches would count against the server's key.
    const { sources } = await app.call<{ sources: object[] }>(gus, 'GET', '/api/sources')
    expect(sources).toContainEqual(expect.objectContaining({ source: 'youtube', canSearch: false }))
    const search = app.call(gus, 'GET', '/api/tracks?source=youtube&q=a')
    await expect(search).rejects.toEqual(refusal('account_required'))
    for (const [method, path] of searches) await app.call(gus, method, path)
  })

  it('17.16 an address makes at most 60 guests in 10 minutes, however it spells the call, and learns when to retry', async () => {
    const app = await startApp({ variables: { TRUST_PROXY: '127.0.0.1' } })
    const from = (host: number) => ({ 'x-forwarded-for': `2001:db8:0:7::${host}` })
    for (let guest = 1; guest <= otherRates.guests.points; guest++) {
      expect((await enter(app, { name: `Guest ${guest}` }, from(guest))).status).toBe(200)
    }
    const refused = await enter(app, { name: 'One more' }, from(999))
    expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limited'])
    expect(refused.json).toMatchObject({ error: { retryAfterMs: expect.any(Number) } })
    for (const path of ['sign-in/anonymous/', 'sign-in/%61nonymous', '/sign-in/anonymous']) {
      const url = `${app.address}/api/auth/${path}`
      const headers = { origin: app.address, ...from(999) }
      const answer = await ask(url, { method: 'POST', headers, body: { name: 'Sly' } })
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    const elsewhere = { 'x-forwarded-for': '2001:db8:0:8::1' }
    expect((await enter(app, { name: 'Neighbour' }, elsewhere)).status).toBe(200)
  })
})

it('17.348 GUESTS_PER_ADDRESS sets how many guests of an address come in 10 minutes, and five times as many in a day', async () => {
  const app = await startApp({ variables: { GUESTS_PER_ADDRESS: '2' } })
  const statuses = []
  for (const name of ['One', 'Two', 'Three']) statuses.push((await enter(app, { name })).status)
  expect(statuses).toEqual([200, 200, 429])
})

describe.each(engines)('guests on %s', (_name, makeOptions) => {
  it('17.14, 17.305 a guest who creates an account keeps name, messages, queue entries, membership and admissions', async () => {
    const app = await startApp(await makeOptions())
    const { id: roomId, owner, tracks } = await openJoinedRoom(app, { trackCount: 2, password: 'sesame' })
    const gus = await enterAsGuest(app, 'Gus')
    const client = await connect(app, gus)
    await client.ask('join_room', { roomId, invite: await invite(app, owner.user, roomId) })
    await client.ask('send_message', { roomId, message: 'Hello' })
    await app.call(gus, 'POST', `/api/rooms/${roomId}/queue`, { trackId: tracks[0]?.id })
    const time = { user_id: gus.id, library_ms: 5, spotify_ms: 0, youtube_ms: 0, counted_until: 1 }
    await app.db.insertInto('listening_time').values(time).execute()
    const gone = new Promise((resolve) => client.socket.once('disconnect', resolve))

    const signedUp = await ask(`${app.address}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { origin: app.address, cookie: gus.cookie },
      body: { email: `gustav@${randomUUID()}.example`, password: 'correct horse' },
    })
    expect(signedUp.status).toBe(200)
    await gone
    const { id } = (signedUp.json as { user: { id: string } }).user
    const user = { id, name: 'Gus', cookie: cookiesOf(signedUp) }
    expect(await app.call(user, 'GET', '/api/profile')).toMatchObject({ profile: { username: 'Gus' } })
    const session = await ask(`${app.address}/api/auth/get-session`, { headers: { cookie: user.cookie } })
    expect(session.json).toMatchObject({ user: { id, name: 'Gus' } })
    const listed = await app.call(user, 'GET', `/api/rooms/${roomId}/messages`)
    expect(listed).toMatchObject({ messages: [{ user_id: id, username: 'Gus' }] })
    const { queue } = await app.call<{ queue: unknown[] }>(user, 'GET', `/api/rooms/${roomId}/queue`)
    expect(queue.at(-1)).toMatchObject({ added_by: id })
    await app.call(user, 'POST', `/api/rooms/${roomId}/join`, {})
    const stats = await app.db.selectFrom('listening_time').selectAll().where('user_id', '=', id).execute()
    expect(stats).toMatchObject([{ library_ms: 5 }])

    await expect(app.call(gus, 'GET', '/api/profile')).rejects.toEqual(refusal('unauthenticated'))
    for (const table of ['user_rooms', 'room_access', 'listening_time', 'messages'] as const) {
      expect(await app.db.selectFrom(table).selectAll().where('user_id', '=', gus.id).execute()).toEqual([])
    }
    const { rows } = await sql`select * from "user" where "id" = ${gus.id}`.execute(app.db)
    expect(rows).toEqual([])
  })

  it('17.14 a guest who signs in to an account keeps its name, and what both did', async () => {
    const app = await startApp(await makeOptions())
    const { id: roomId, owner } = await openJoinedRoom(app, { trackCount: 0 })
    const email = `ann@${randomUUID()}.example`
    const body = { email, password: 'correct horse' }
    const headers = { origin: app.address }
    const signedUp = await ask(`${app.address}/api/auth/sign-up/email`, { method: 'POST', headers, body })
    const ann = {
      id: (signedUp.json as { user: { id: string } }).user.id,
      name: 'ann',
      cookie: cookiesOf(signedUp),
    }
    await app.call(ann, 'POST', `/api/rooms/${roomId}/join`, {})
    const gus = await enterAsGuest(app, 'Gus')
    const token = await invite(app, owner.user, roomId)
    await app.call(gus, 'POST', `/api/rooms/${roomId}/join`, { invite: token })
    // A client may give both messages the same id.
    const sent = { content: 'Hello', clientMessageId: 'c1' }
    for (const user of [ann, gus]) await app.call(user, 'POST', `/api/rooms/${roomId}/messages`, sent)
    const signedIn = await ask(`${app.address}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { ...headers, cookie: gus.cookie },
      body,
    })
    expect(signedIn.status).toBe(200)
    const { messages } = await app.call<{ messages: unknown[] }>(ann, 'GET', `/api/rooms/${roomId}/messages`)
    const ofAnn = { user_id: ann.id, username: 'ann' }
    expect(messages).toMatchObject([ofAnn, ofAnn])
    expect(messages[1]).not.toHaveProperty('is_guest')
  })

  it('17.15 guests without a session, and those who never entered a room, are deleted after a day at most', async () => {
    const app = await startApp(await makeOptions())
    const { id: roomId, owner } = await openJoinedRoom(app, { trackCount: 0 })
    await setSettings(app, roomId, { guests: 'everyone' })
    const [present, idle, signedOut] = await Promise.all([
      enterAsGuest(app, 'Present'),
      enterAsGuest(app, 'Idle'),
      enterAsGuest(app, 'Signed out'),
    ])
    for (const guest of [present, signedOut]) {
      await app.call(guest, 'POST', `/api/rooms/${roomId}/join`, {})
      await app.call(guest, 'POST', `/api/rooms/${roomId}/messages`, { content: guest.name })
    }
    await app.call(signedOut, 'POST', '/api/auth/sign-out', {})
    const listGuests = async () =>
      (await app.db.selectFrom('profiles').select('username').where('is_guest', '=', 1).execute()).map(
        ({ username }) => username,
      )
    await sweepAuthTables(app.db, Date.now())
    expect(await listGuests()).toHaveLength(3)
    await sweepAuthTables(app.db, Date.now() + 2 * 3_600_000)
    expect((await listGuests()).toSorted()).toEqual(['Idle', 'Present'])
    await sweepAuthTables(app.db, Date.now() + dayMs + 60_000)
    expect(await listGuests()).toEqual(['Present'])
    const { rows } = await sql<{ id: string }>`select "id" from "user"`.execute(app.db)
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining([present.id, owner.user.id]))
    expect(rows.map(({ id }) => id)).not.toContain(idle.id)
    const { messages } = await app.call<{ messages: { username: string }[] }>(
      owner.user,
      'GET',
      `/api/rooms/${roomId}/messages`,
    )
    expect(messages.map(({ username }) => username).toSorted()).toEqual(['Present', 'Unknown'])
  })
})

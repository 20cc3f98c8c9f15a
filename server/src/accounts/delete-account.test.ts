import { randomUUID } from 'node:crypto'
import type { Room } from '@earshot/core/protocol/entities'
import { sql } from 'kysely'
import { describe, expect, inject, it, vi } from 'vitest'
import { type AppOptions, signUp, signUpOverHttp, shareApp, startApp, type TestApp } from '../../test/apps.ts'
import { makeDataFolder } from '../../test/databases.ts'
import { captureLog } from '../../test/log.ts'
import { createPostgresDatabase, migratedTemplate } from '../../test/postgres.ts'
import { connect, joinAs, storeTracks } from '../../test/sockets.ts'
import { deleteRoomRow } from '../db/admin-rooms.ts'
import { deleteAccountRows } from './delete-account.ts'
import { otherRates } from '../limits/rates.ts'

/** As `signUpOverHttp` sets it. */
const password = 'correct horse'

const deleteAccount = (app: TestApp, user: Parameters<TestApp['call']>[0], body: unknown = { password }) =>
  app.call(user, 'POST', '/api/account/delete', body)

async function makeRoom(app: TestApp, user: Parameters<TestApp['call']>[0]): Promise<string> {
  return (await app.call<{ id: string }>(user, 'POST', '/api/rooms', { name: 'Room', isPublic: true })).id
}

/** Lists the tables that contain this text anywhere. */
async function findTables(app: TestApp, text: string): Promise<string[]> {
  const tables = (await app.db.introspection.getTables()).map(({ name }) => name)
  const found: string[] = []
  for (const table of tables) {
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(app.db)
    if (JSON.stringify(rows).includes(text)) found.push(table)
  }
  return found.toSorted()
}

const engines: [string, () => Promise<AppOptions>][] = [
  // Of its own: it reads all tables, also those of the search index.
  ['SQLite', async () => ({ dataDir: await makeDataFolder() })],
  [
    'PostgreSQL',
    async () => ({ databaseUrl: await createPostgresDatabase(inject('postgresUrl'), migratedTemplate) }),
  ],
]

describe.each(engines)('deleting an account on %s', (_name, makeOptions) => {
  it('16.25, 16.26 deletes all of it but messages in other rooms, and its rooms for everybody', async () => {
    const { logger, lines } = captureLog()
    const app = await startApp({ ...(await makeOptions()), logger })
    const ann = await signUpOverHttp(app, 'ann')
    const ownRoomId = await makeRoom(app, ann)
    const guest = await joinAs(app, ownRoomId, 'guest')
    const bob = await signUp(app, 'bob')
    const otherRoomId = await makeRoom(app, bob)
    const bobsClient = await connect(app, bob)
    await bobsClient.ask('join_room', { roomId: otherRoomId })
    const annsClient = await connect(app, ann)
    for (const roomId of [ownRoomId, otherRoomId]) {
      await annsClient.ask('join_room', { roomId })
      await annsClient.ask('send_message', { roomId, message: `Hello ${roomId}` })
    }
    await app.db
      .insertInto('listening_time')
      .values({ user_id: ann.id, library_ms: 1, spotify_ms: 0, youtube_ms: 0, counted_until: 1 })
      .execute()
    await app.db
      .insertInto('spotify_accounts')
      .values({ user_id: ann.id, spotify_tokens: 'sealed', authorized_at: 1, lease_until: 0 })
      .execute()
    await app.db
      .insertInto('room_access')
      .values({ room_id: otherRoomId, user_id: ann.id, granted_at: 1 })
      .execute()

    expect(await deleteAccount(app, ann)).toEqual({})
    expect(await findTables(app, ann.id)).toEqual(['messages'])
    expect(await findTables(app, ownRoomId)).toEqual([])
    await vi.waitFor(() => expect(annsClient.socket.connected).toBe(false))
    await expect(app.call(ann, 'GET', '/api/profile')).rejects.toMatchObject({ code: 'unauthenticated' })

    const { messages } = await app.call<{ messages: unknown[] }>(
      bob,
      'GET',
      `/api/rooms/${otherRoomId}/messages`,
    )
    expect(messages).toMatchObject([
      { content: `Hello ${otherRoomId}`, username: 'Unknown', avatar_url: null },
    ])
    const left = await bobsClient.hear(
      'userPresence',
      ({ users, count }) => count === 1 && users.length === 1,
    )
    expect(left.users[0]).toMatchObject({ username: 'bob' })

    for (const event of ['request_sync', 'join_room'] as const) {
      await expect(guest.ask(event, { roomId: ownRoomId })).rejects.toMatchObject({ code: 'room_not_found' })
    }
    expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([])
  })

  it('16.308 whoever added the current track has the name of now, and none once deleted', async () => {
    const app = await startApp(await makeOptions())
    const [ann, bob] = [await signUpOverHttp(app, 'ann'), await signUp(app, 'bob')]
    const roomId = await makeRoom(app, bob)
    const [track] = await storeTracks(app.db, 1)
    await app.call(ann, 'POST', `/api/rooms/${roomId}/join`, {})
    // No valid Unicode: PostgreSQL refuses to parse it.
    const body = { trackId: track!.id, commandId: '\ud800' }
    await app.call(ann, 'POST', `/api/rooms/${roomId}/queue`, body)
    const readAdder = async () =>
      (await app.call<{ room: Room }>(bob, 'GET', `/api/rooms/${roomId}`)).room.current_added_by
    expect(await readAdder()).toEqual({ id: ann.id, username: 'ann' })
    await app.call(ann, 'PATCH', '/api/profile', { username: 'anna' })
    expect(await readAdder()).toEqual({ id: ann.id, username: 'anna' })
    await deleteAccount(app, ann)
    expect(await readAdder()).toBeUndefined()
  })
})

describe('deleting an account', () => {
  const app = shareApp()

  it.each([
    ['an account', (userId: string) => deleteAccountRows(app.db, userId)],
    ['a room', (_userId: string, roomId: string) => deleteRoomRow(app.db, roomId)],
  ])('16.303 others write while %s is deleted, however many messages there are', async (_what, remove) => {
    const ann = await signUp(app, 'ann')
    const [roomId, otherRoomId] = [await makeRoom(app, ann), await makeRoom(app, await signUp(app, 'bob'))]
    const messageOf = (id: string, room: string) => ({
      id,
      room_id: room,
      user_id: ann.id,
      content: 'Hello',
      created_at: 1,
    })
    const all = Array.from({ length: 8_000 }, () => messageOf(randomUUID(), roomId))
    for (let at = 0; at < all.length; at += 500)
      await app.db
        .insertInto('messages')
        .values(all.slice(at, at + 500))
        .execute()
    const countLeft = async () => {
      const { count } = await app.db
        .selectFrom('messages')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('room_id', '=', roomId)
        .executeTakeFirstOrThrow()
      return Number(count)
    }

    let isDeleted = false
    const deletion = remove(ann.id, roomId).then(() => (isDeleted = true))
    const left = new Set<number>()
    while (!isDeleted) {
      await app.db.insertInto('messages').values(messageOf(randomUUID(), otherRoomId)).execute()
      left.add(await countLeft())
    }
    await deletion
    expect([...left].filter((count) => count > 0 && count < all.length).length).toBeGreaterThan(3)
    expect(await countLeft()).toBe(0)
  })

  it('16.25 needs the right password', async () => {
    const ann = await signUpOverHttp(app, 'ann')
    for (const body of [{}, { password: '' }, { password: 7 }, { password: 'p'.repeat(200) }]) {
      await expect(deleteAccount(app, ann, body)).rejects.toMatchObject({ code: 'invalid_input' })
    }
    await expect(deleteAccount(app, ann, { password: 'wrong' })).rejects.toMatchObject({
      code: 'wrong_password',
    })
    await expect(deleteAccount(app, null)).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(await app.call(ann, 'GET', '/api/profile')).toMatchObject({ profile: { username: 'ann' } })
  })

  it('16.25 says how to get a password where the account has none', async () => {
    await expect(deleteAccount(app, await signUp(app, 'ann'))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('has no password yet'),
    })
  })

  it('16.25 limits guesses per account', async () => {
    const ann = await signUp(app, `ann-${randomUUID()}`)
    const codes: unknown[] = []
    for (let count = 0; count <= otherRates.signIn.points; count += 1) {
      codes.push(await deleteAccount(app, ann).catch((error: { code: string }) => error.code))
    }
    expect(codes.at(-1)).toBe('rate_limited')
  })

  it('16.25 changes nothing where a step fails', async () => {
    const app = await startApp(captureLog())
    const ann = await signUpOverHttp(app, 'ann')
    const roomId = await makeRoom(app, ann)
    await sql`create trigger keep_users before delete on "user" begin select raise(abort, 'kept'); end`.execute(
      app.db,
    )
    await expect(deleteAccount(app, ann)).rejects.toMatchObject({ code: 'internal' })
    await sql`drop trigger keep_users`.execute(app.db)
    expect(await app.call(ann, 'GET', '/api/profile')).toMatchObject({ profile: { username: 'ann' } })
    expect(await app.call(ann, 'GET', `/api/rooms/${roomId}`)).toMatchObject({ room: { id: roomId } })
  })
})

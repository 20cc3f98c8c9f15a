import { limits } from '@earshot/core/limits'
import type { Room } from '@earshot/core/protocol/entities'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, type TestUser, shareApp, signUp, startApp } from '../../../test/apps.ts'
import { addRoom } from '../../../test/music-server.ts'
import { storeTracks } from '../../../test/sockets.ts'
import { serverLimits } from '../../server-limits.ts'

interface Listed {
  rooms: Room[]
  nextCursor: string | null
}

const list = (app: TestApp, query = '', user: TestUser | null = null): Promise<Listed> =>
  app.call<Listed>(user, 'GET', `/api/rooms${query}`)
const names = ({ rooms }: Listed): string[] => rooms.map((room) => room.name)

/** Rooms whose names end in two digits: r00, r01 ... */
async function addRooms(app: TestApp, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await addRoom(app.db, `r${String(index).padStart(2, '0')}`, {})
  await app.db.updateTable('rooms').set({ last_updated: Date.now() }).execute()
}

it('17.60 the list comes in pages, without gaps or repetition', async () => {
  const app = await startApp()
  await addRooms(app, 25)
  const seen: string[] = []
  for (let query = '?limit=10', next: string | null = ''; next !== null; query = `?limit=10&cursor=${next}`) {
    const page: Listed = await list(app, query)
    expect(page.rooms.length).toBeLessThanOrEqual(10)
    seen.push(...names(page))
    next = page.nextCursor
  }
  expect(seen.toSorted()).toEqual(
    Array.from({ length: 25 }, (_, index) => `r${String(index).padStart(2, '0')}`),
  )
})

it('17.60 without a limit a page has at most 100 rooms, and more cannot be asked for', async () => {
  const app = await startApp()
  await addRooms(app, limits.roomsPageMax + 1)
  const page = await list(app)
  expect(page.rooms).toHaveLength(limits.roomsPageMax)
  expect((await list(app, `?cursor=${page.nextCursor}`)).rooms).toHaveLength(1)
  const forge = (key: unknown): string => `?cursor=${Buffer.from(JSON.stringify(key)).toString('base64url')}`
  const forged = [
    [],
    [1, 2, 3],
    [0, 0, 1.5, 'r'],
    [0, -1, 0, 'r'],
    [0, 0, 0, 'a\0b'],
    { 0: 1 },
    'x'.repeat(300),
  ].map(forge)
  for (const query of [
    '?limit=101',
    '?limit=0',
    '?cursor=-1',
    '?cursor=100',
    ...forged,
    `?q=${'x'.repeat(100)}`,
  ]) {
    await expect(list(app, query)).rejects.toMatchObject({ code: 'invalid_input' })
  }
})

it.each(['listeners', 'playing'])(
  '15.77 sorted by %s, rooms that come, go or change between two pages shift no other room',
  async (order) => {
    const app = await startApp()
    await addRooms(app, 30)
    const move = (id: string, listed: object) =>
      app.db.updateTable('rooms').set(listed).where('id', '=', id).execute()
    // Every other room plays, and all have moments of their own.
    for (let index = 0; index < 30; index += 1) {
      const id = `r${String(index).padStart(2, '0')}`
      await move(id, { is_playing: index % 2, last_updated: Date.now() - index })
    }
    const first = await list(app, `?order=${order}&limit=10`)
    const seen = names(first)
    const unseen = (await list(app, `?order=${order}`)).rooms.map(({ id }) => id).slice(10)
    await addRoom(app.db, 'new', { members: ['u1', 'u2'] })
    await app.db.deleteFrom('rooms').where('id', 'in', seen.slice(0, 3)).execute()
    await move(unseen[0]!, { is_playing: 1, last_updated: Date.now() + 1_000 })
    await move(seen[5]!, { is_playing: 0, last_updated: Date.now() - 1_000 })
    for (let next = first.nextCursor; next !== null;) {
      const page: Listed = await list(app, `?order=${order}&limit=10&cursor=${next}`)
      seen.push(...names(page))
      next = page.nextCursor
    }
    const stayed = unseen.slice(1)
    expect(seen.filter((name) => stayed.includes(name))).toEqual(stayed)
  },
)

const searches: [string, string[]][] = [
  ['bjork', ['Björk & Friends']],
  ['FRIENDS', ['Björk & Friends']],
  ['100%', ['100% Jazz']],
  ['%', ['100% Jazz']],
  ['_', []],
  ['nothing like it', []],
]

describe('a search', () => {
  const app = shareApp()
  beforeAll(async () => {
    const ann = await signUp(app, 'ann')
    for (const name of ['Björk & Friends', '100% Jazz', 'Kitchen']) {
      await app.call(ann, 'POST', '/api/rooms', { name })
    }
  })

  it.each(searches)('17.61 for %j finds names without regard to case and accents', async (words, found) => {
    expect(names(await list(app, `?q=${encodeURIComponent(words)}`))).toEqual(found)
  })
})

it('17.62 a room that nobody used for 30 days leaves the list; a search, its owner and a listener find it', async () => {
  const clock = createFakeClock()
  const app = await startApp({ clock })
  const ann = await signUp(app, 'ann')
  const { id } = await app.call<{ id: string }>(ann, 'POST', '/api/rooms', { name: 'Kitchen' })
  expect(names(await list(app))).toEqual(['Kitchen'])
  await app.db
    .updateTable('rooms')
    .set({ last_updated: clock.now() - serverLimits.roomsIdleMs - 1 })
    .execute()
  clock.advance(serverLimits.roomsListCacheMs)
  expect(names(await list(app))).toEqual([])
  expect(names(await list(app, '?q=kitchen'))).toEqual(['Kitchen'])
  expect(names(await list(app, '?scope=own', ann))).toEqual(['Kitchen'])
  expect(names(await list(app, '?scope=own'))).toEqual([])
  await app.db.insertInto('user_rooms').values({ room_id: id, user_id: ann.id, joined_at: 1 }).execute()
  clock.advance(serverLimits.roomsListCacheMs)
  expect(names(await list(app))).toEqual(['Kitchen'])
})

it('17.63 public rooms can be listed by source, those that play first', async () => {
  const app = await startApp()
  await storeTracks(app.db, 1)
  await addRoom(app.db, 'quiet', { members: ['u1', 'u2'] })
  await addRoom(app.db, 'playing', { current: 't1' })
  await addRoom(app.db, 'closed', { isPublic: false })
  await app.db.updateTable('rooms').set({ last_updated: Date.now() }).execute()
  await app.db
    .updateTable('rooms')
    .set({ is_playing: 0, preferred_source: 'spotify' })
    .where('id', '=', 'quiet')
    .execute()
  expect(names(await list(app, '?scope=public&order=playing'))).toEqual(['playing', 'quiet'])
  expect(names(await list(app, '?scope=public&source=spotify'))).toEqual(['quiet'])
  expect(names(await list(app, '?scope=public&source=library'))).toEqual(['playing'])
})

it('17.64 an unchanged list is answered with 304 to who has it, and is read once a second', async () => {
  const clock = createFakeClock()
  const app = await startApp({ clock })
  await addRooms(app, 3)
  const first = await fetch(`${app.address}/api/rooms`)
  const tag = first.headers.get('etag') ?? ''
  const again = await fetch(`${app.address}/api/rooms`, { headers: { 'if-none-match': tag } })
  expect([again.status, await again.text()]).toEqual([304, ''])
  await app.db.deleteFrom('rooms').execute()
  expect((await list(app)).rooms).toHaveLength(3)
  clock.advance(serverLimits.roomsListCacheMs)
  expect((await list(app)).rooms).toHaveLength(0)
})

it('17.65 a user cannot own more than 100 rooms', async () => {
  const app = await startApp()
  const ann = await signUp(app, 'ann')
  await addRooms(app, serverLimits.roomsPerUser)
  await app.db.updateTable('rooms').set({ owner_id: ann.id }).execute()
  const creation = app.call(ann, 'POST', '/api/rooms', { name: 'One more' })
  await expect(creation).rejects.toMatchObject({ code: 'too_many_rooms' })
})

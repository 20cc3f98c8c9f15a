import { CompiledQuery, type RootOperationNode, sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { addRoom } from '../../test/music-server.ts'
import { deleteMemberships, insertMemberships } from './user-rooms.ts'
import { type Db, engineOf, openDatabase } from './database.ts'
import { listRooms, type RoomsPage } from './rooms-list.ts'
import { openVersionWith } from './testing/first-version.ts'

const page: RoomsPage = {
  source: undefined,
  order: 'listeners',
  searchText: null,
  ownerId: null,
  isPublic: false,
  after: null,
  limit: 100,
  usedAfterMs: 0,
}

async function countListeners(db: Db): Promise<Record<string, number>> {
  const rooms = await listRooms(db, page)
  return Object.fromEntries(rooms.map(({ row, listeners }) => [row.id, listeners]))
}

/** The plan of a page's query; that of PostgreSQL for a table so large that sorting it would not pay. */
async function explain(db: Db, of: RoomsPage): Promise<string> {
  const nodes: RootOperationNode[] = []
  await listRooms(
    db.withPlugin({
      transformQuery({ node }) {
        nodes.push(node)
        return node
      },
      transformResult: async ({ result }) => result,
    }),
    of,
  )
  const [compiled] = nodes.map((node) => db.getExecutor().compileQuery(node, { queryId: 'plan' }))
  if (!compiled) throw new Error('No query was run')
  const isPostgres = engineOf(db) === 'postgres'
  return db.transaction().execute(async (change) => {
    if (isPostgres) await sql`set local enable_seqscan = off; set local enable_sort = off`.execute(change)
    const statement = `explain ${isPostgres ? '' : 'query plan'} ${compiled.sql}`
    const { rows } = await change.executeQuery(CompiledQuery.raw(statement, [...compiled.parameters]))
    return rows.map((row) => JSON.stringify(row)).join('\n')
  })
}

const join = (db: Db, ...members: [roomId: string, userId: string][]) =>
  insertMemberships(
    db,
    members.map(([roomId, userId]) => ({ roomId, userId, joinedAtMs: 1 })),
  )

describeDatabases('the number of listeners', (open, make) => {
  it('15.61 follows the members, however they come and go', async () => {
    const db = await open()
    for (const id of ['a', 'b', 'c']) await addRoom(db, id, {})
    await join(db, ['a', 'ann'], ['a', 'ben'], ['b', 'ann'])
    await join(db, ['a', 'ann'], ['a', 'cem'])
    expect(await countListeners(db)).toEqual({ a: 3, b: 1, c: 0 })
    await deleteMemberships(db, 'a', ['ann', 'nobody'])
    expect(await countListeners(db)).toEqual({ a: 2, b: 1, c: 0 })
    await db.deleteFrom('user_rooms').where('user_id', 'in', ['ann', 'ben']).execute()
    expect(await countListeners(db)).toEqual({ a: 1, b: 0, c: 0 })
    await db.deleteFrom('rooms').where('id', '=', 'a').execute()
    expect(await countListeners(db)).toEqual({ b: 0, c: 0 })
  })

  it('15.61 is right while many join and leave at once, in several rooms', async () => {
    const db = await open()
    for (const id of ['a', 'b', 'c']) await addRoom(db, id, {})
    const users = Array.from({ length: 20 }, (_, number) => `u${number}`)
    await Promise.all(users.map((user) => join(db, ['a', user], ['c', user], ['b', user])))
    await Promise.all(
      users.slice(5).flatMap((user) => ['c', 'a'].map((room) => deleteMemberships(db, room, [user]))),
    )
    expect(await countListeners(db)).toEqual({ a: 5, b: 20, c: 5 })
  })

  it('15.61 is counted once by an update of the server', async () => {
    const options = await make()
    const numbers = '001 002 003 004 005 006 007 008 009 010 011 012 013 014 015 017 018 020 021 022'.split(
      ' ',
    )
    const earlier = await openVersionWith(options, numbers)
    await addRoom(earlier, 'a', {})
    await addRoom(earlier, 'b', {})
    await join(earlier, ['a', 'ann'], ['a', 'ben'])
    await earlier.destroy()
    const db = await openDatabase(options)
    expect(await countListeners(db)).toEqual({ a: 2, b: 0 })
    await join(db, ['b', 'ann'])
    expect(await countListeners(db)).toEqual({ a: 2, b: 1 })
    await db.destroy()
  })

  it.each(['listeners', 'playing'] as const)(
    '15.61 a page sorted by %s is read by an index',
    async (order) => {
      const db = await open()
      const after = { isPlaying: 0, listeners: 1, lastUpdated: 1, id: 'r' }
      for (const place of [null, after]) {
        const plan = await explain(db, { ...page, order, after: place, usedAfterMs: 1 })
        expect(plan).toContain(order === 'listeners' ? 'rooms_listed_idx' : 'rooms_playing_idx')
        expect(plan).not.toMatch(/temp b-tree|\bsort\b/i)
      }
    },
  )
})

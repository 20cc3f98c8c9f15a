import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { makeTrack } from '@earshot/core/testing/tracks'
import { sql } from 'kysely'
import { expect, it, onTestFinished, vi } from 'vitest'
import { makeDataFolder } from '../../../test/databases.ts'
import { type Db, openDatabase, sqliteFileName } from '../database.ts'
import { findTracks, upsertTracks } from '../tracks.ts'

/** More than the write lock of another connection, or a query, ever takes in these tests. */
const longMs = 15_000

interface TestDatabase {
  db: Db
  path: string
  onConnectionError: ReturnType<typeof vi.fn<(error: Error) => void>>
}

async function open({ busyTimeoutMs = longMs } = {}): Promise<TestDatabase> {
  const dataDir = await makeDataFolder()
  const onConnectionError = vi.fn<(error: Error) => void>()
  const db = await openDatabase({ databaseUrl: null, dataDir, busyTimeoutMs, onConnectionError })
  onTestFinished(() => db.destroy())
  return { db, path: join(dataDir, sqliteFileName), onConnectionError }
}

/** Takes the write lock as another process would. Returns the function that releases it. */
function lock(path: string): () => void {
  const other = new DatabaseSync(path)
  other.exec('begin immediate')
  return () => other.close()
}

const store = (db: Db, id: string): Promise<void> => upsertTracks(db, [makeTrack(id)], 1)

/** Counts the pages that were written to the log since the last call, and empties it. */
async function countLoggedPages(db: Db): Promise<number> {
  const { rows } = await sql<{ log: number }>`pragma wal_checkpoint(passive)`.execute(db)
  await sql`pragma wal_checkpoint(truncate)`.execute(db)
  return rows[0]?.log ?? 0
}

/** Takes longer than any other query here. */
const slowQuery = sql<{ count: number }>`select count(*) as count from (
  with recursive numbers(n) as (select 1 union all select n + 1 from numbers limit 1000000) select n from numbers
)`

it('16.147 no commit merges the log into the file: that is done between commits, before the log is long', async () => {
  const { db, path } = await open()
  await sql`create table notes (content text)`.execute(db)
  // Three pages each and the root: together more than the 1,000 at which SQLite merges in a commit.
  const content = 'a'.repeat(10_000)
  for (let index = 0; index < 300; index += 1) await sql`insert into notes values (${content})`.execute(db)
  expect(statSync(`${path}-wal`).size).toBeLessThan(1_000 * 4_096)
})

it('after a migration a query returns the columns that the tables have now', async () => {
  const { db } = await open()
  await store(db, 'one')
  // The reading connection learns of the tables before they change.
  await findTracks(db, ['one'])
  await sql`alter table tracks rename column title to name`.execute(db)
  await sql`alter table tracks add column title text`.execute(db)
  await sql`update tracks set title = 'New', name = 'Old'`.execute(db)
  const { rows } = await sql`select *, 1 as one from tracks`.execute(db)
  expect(rows).toEqual([expect.objectContaining({ title: 'New', name: 'Old' })])
})

it('13.2 a write fails as unavailable when another process holds the lock for too long; reads go on', async () => {
  const { db, path, onConnectionError } = await open({ busyTimeoutMs: 300 })
  await store(db, 'before')
  const release = lock(path)
  const writes = ['a', 'b', 'c'].map((id) => store(db, id))
  const found = await findTracks(db, ['before', 'a'])
  expect([...found.keys()]).toEqual(['before'])
  for (const write of writes) await expect(write).rejects.toMatchObject({ code: 'unavailable' })
  expect(onConnectionError).toHaveBeenCalledOnce()
  release()
  await store(db, 'after')
  expect([...(await findTracks(db, ['a', 'after'])).keys()]).toEqual(['after'])
})

it('13.2 a transaction waits for the lock of another process as well', async () => {
  const { db, path } = await open()
  const release = lock(path)
  const transaction = db.transaction().execute((inside) => store(inside, 'a'))
  await findTracks(db, ['a'])
  release()
  await transaction
  expect((await findTracks(db, ['a'])).size).toBe(1)
})

it('13.3 writes that wait are committed together, and one that fails does not undo the others', async () => {
  const { db, path } = await open()
  const ids = Array.from({ length: 30 }, (_, index) => `t${index}`)
  const writeAll = () => Promise.all(ids.map((id) => db.updateTable('tracks').set({ title: id }).execute()))
  await store(db, 'only')
  await countLoggedPages(db)
  const release = lock(path)
  const writes = writeAll()
  const failing = db.insertInto('room_tracks').values({
    entry_id: 'e',
    room_id: 'nowhere',
    track_id: 'only',
    position: 0,
    added_by: null,
    added_at: 1,
  })
  const failure = failing.execute().catch((error: unknown) => error)
  const last = store(db, 'last')
  await findTracks(db, ids)
  release()
  await Promise.all([writes, last])
  expect(await failure).toMatchObject({ message: expect.stringMatching(/foreign key/i) })
  // One page or a few for all; at least thirty, where each were committed alone.
  expect(await countLoggedPages(db)).toBeLessThan(ids.length)
  const found = await findTracks(db, ['only', 'last'])
  expect(found.get('only')?.title).toBe('t29')
  expect(found.has('last')).toBe(true)
})

it('13.5 a query that was slow before delays neither quick queries nor writes', async () => {
  const { db } = await open()
  expect((await slowQuery.execute(db)).rows).toEqual([{ count: 1_000_000 }])
  // Repeated where a busy machine lets the thread of a quick one wait: behind the slow one it would be last each time.
  await vi.waitFor(async () => {
    const order: string[] = []
    const note = (name: string) => () => void order.push(name)
    await Promise.all([
      slowQuery.execute(db).then(note('slow')),
      findTracks(db, ['a']).then(note('quick')),
      store(db, 'a').then(note('write')),
    ])
    expect(order.at(-1)).toBe('slow')
  })
})

it('13.6 a thread that ends fails the work under way, is reported, and starts again', async () => {
  const workers: Worker[] = []
  const note = (worker: Worker): void => void workers.push(worker)
  process.on('worker', note)
  onTestFinished(() => void process.off('worker', note))
  const { db, path, onConnectionError } = await open()
  await store(db, 'a')
  const release = lock(path)
  const failure = store(db, 'b').catch((error: unknown) => error)
  await findTracks(db, ['a'])
  await Promise.all(workers.map((worker) => worker.terminate()))
  expect(await failure).toMatchObject({ code: 'unavailable' })
  release()
  expect(onConnectionError).toHaveBeenCalledTimes(workers.length)
  await store(db, 'c')
  expect([...(await findTracks(db, ['a', 'b', 'c'])).keys()].toSorted()).toEqual(['a', 'c'])
})

it('13.6 a transaction whose thread ended cannot go on in another', async () => {
  const workers: Worker[] = []
  const note = (worker: Worker): void => void workers.push(worker)
  process.on('worker', note)
  onTestFinished(() => void process.off('worker', note))
  const { db } = await open()
  const transaction = db.transaction().execute(async (inside) => {
    await store(inside, 'a')
    await Promise.all(workers.map((worker) => worker.terminate()))
    await store(inside, 'b')
  })
  await expect(transaction).rejects.toThrow(/no longer open/)
  expect((await findTracks(db, ['a', 'b'])).size).toBe(0)
})

it('13.7 a long result arrives complete and in parts, between which the main thread goes on', async () => {
  const { db } = await open()
  let turns = 0
  let isDone = false
  const counting = (async () => {
    for (; !isDone; turns++) await nextTurn()
  })()
  const { rows } = await sql<{ n: number; text: string }>`select n, 'row ' || n as text from (
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers limit 20000) select n from numbers
  )`.execute(db)
  isDone = true
  await counting
  expect(rows).toEqual(Array.from({ length: 20_000 }, (_, at) => ({ n: at + 1, text: `row ${at + 1}` })))
  expect(turns).toBeGreaterThan(20)
})

it('passes on values of every type, and errors with their code and the stack of the caller', async () => {
  const { db } = await open()
  const bytes = new Uint8Array([0, 1, 255])
  const { rows } =
    await sql`select ${bytes} as bytes, ${12n} as big, ${1.5} as real, ${null} as none, ${'ä\0b'} as text`.execute(
      db,
    )
  expect(rows).toEqual([{ bytes, big: 12, real: 1.5, none: null, text: 'ä\0b' }])
  await expect(sql`select ${new Date()}`.execute(db)).rejects.toThrow(TypeError)
  const failure = sql`select * from nowhere`.execute(db)
  await expect(failure).rejects.toMatchObject({
    message: 'no such table: nowhere',
    errcode: 1,
    stack: expect.stringContaining('sqlite.test.ts'),
  })
})

it('closing waits for the work under way', async () => {
  const { db, path } = await open()
  const writes = Array.from({ length: 20 }, (_, index) => store(db, `t${index}`))
  await nextTurn()
  await db.destroy()
  await Promise.all(writes)
  const reopened = new DatabaseSync(path, { readOnly: true })
  expect(reopened.prepare('select count(*) as count from tracks').get()).toEqual({ count: 20 })
  reopened.close()
})

it('closing waits for an open transaction, and stores it', async () => {
  const { db, path } = await open()
  let closed: Promise<void> | undefined
  await db.transaction().execute(async (transaction) => {
    await store(transaction, 'before')
    closed = db.destroy()
    await nextTurn()
    await store(transaction, 'after')
  })
  await closed
  const reopened = new DatabaseSync(path, { readOnly: true })
  expect(reopened.prepare('select count(*) as count from tracks').get()).toEqual({ count: 2 })
  reopened.close()
})

it('16.43 a write fails as unavailable while the disk is full, and is logged once; reads and later writes work', async () => {
  const { db, onConnectionError } = await open()
  await store(db, 'before')
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db)
  await sql`pragma max_page_count = ${sql.lit(rows[0]?.page_count ?? 0)}`.execute(db)
  const large = { ...makeTrack('large'), title: 'x'.repeat(100_000) }
  await expect(upsertTracks(db, [large], 1)).rejects.toMatchObject({ code: 'unavailable' })
  await expect(upsertTracks(db, [large], 1)).rejects.toMatchObject({ code: 'unavailable' })
  expect(onConnectionError).toHaveBeenCalledOnce()
  expect(onConnectionError.mock.calls[0]?.[0].message).toContain('disk is full')
  expect([...(await findTracks(db, ['before', 'large'])).keys()]).toEqual(['before'])
  await sql`pragma max_page_count = 1000000`.execute(db)
  await upsertTracks(db, [large], 1)
})

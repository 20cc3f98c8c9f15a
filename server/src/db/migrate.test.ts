import { mkdir, open as openFile, readdir, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeTrack } from '@earshot/core/testing/tracks'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startApp } from '../../test/apps.ts'
import { describeDatabases } from '../../test/databases.ts'
import { makeFolder, writeIn } from '../../test/folders.ts'
import { type Db, openDatabase, sqliteFileName } from './database.ts'
import { listMigrations, migrate, migrationCopiesFolder } from './migrate.ts'
import { openVersionWith } from './testing/first-version.ts'
import { upsertTracks } from './tracks.ts'

/** Migrates as the next version would, which adds a column. */
async function migrateToNext(db: Db, dataDir: string): Promise<void> {
  const known = Object.fromEntries((await listMigrations(db)).map((name) => [name, { up: async () => {} }]))
  const next: Migration = {
    up: (inside) => inside.schema.alterTable('rooms').addColumn('next', 'text').execute(),
  }
  const migrations = { ...known, '999-next': next }
  await migrate(db, { migrations, copiesDir: join(dataDir, migrationCopiesFolder) })
}

function readAll(path: string, statement: string): unknown[] {
  const file = new DatabaseSync(path, { readOnly: true })
  try {
    return file.prepare(statement).all()
  } finally {
    file.close()
  }
}

/** The tables with their columns, in the order of their names. */
async function describeTables(db: Db): Promise<unknown> {
  const tables = await db.introspection.getTables()
  return tables
    .map(({ name, columns }) => ({
      name,
      columns: columns
        .map((column) => [column.name, column.dataType, column.isNullable, column.hasDefaultValue].join(' '))
        .toSorted(),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** The migrations of versions that had a higher number before a lower one. */
const unordered = ['001 003', '001 002 003 004 008', '001 002 003 004 005 006 007 008 009 012 015 017']

describeDatabases('the migrations', (open, make) => {
  it.each(unordered)('16.120 add what is missing to a database that has %s', async (numbers) => {
    const options = await make()
    const earlier = await openVersionWith(options, numbers.split(' '))
    await earlier.destroy()
    const db = await openDatabase(options)
    onTestFinished(() => db.destroy())
    expect(await describeTables(db)).toEqual(await describeTables(await open()))
  })

  it('16.41 refuse a database that a newer version has migrated, and leave it as it is', async () => {
    const options = await make()
    const db = await openDatabase(options)
    await sql`insert into kysely_migration (name, timestamp) values ('999-later', '2030')`.execute(db)
    await db.destroy()
    await expect(openDatabase(options)).rejects.toThrow(
      /^(DATA_DIR|DATABASE_URL): .* made by a newer version of Earshot \(migration 999-later\)/,
    )
    await expect(openDatabase(options)).rejects.toThrow(/Update Earshot, or restore a backup/)
  })
})

it('16.42 a copy of a SQLite database is kept before a migration changes it', async () => {
  const dataDir = await makeFolder()
  const copies = join(dataDir, migrationCopiesFolder)
  const db = await openDatabase({ databaseUrl: null, dataDir })
  onTestFinished(() => db.destroy())
  await upsertTracks(db, [makeTrack('before')], 1)
  await expect(readdir(copies)).rejects.toThrow('ENOENT')
  await migrateToNext(db, dataDir)
  await upsertTracks(db, [makeTrack('after')], 1)

  expect(await readdir(copies)).toEqual(['999-next.sqlite'])
  const copy = join(copies, '999-next.sqlite')
  expect(readAll(copy, 'select id from tracks')).toEqual([{ id: 'before' }])
  const column = "select name from pragma_table_info('rooms') where name = 'next'"
  expect(readAll(copy, column)).toEqual([])
  expect(readAll(join(dataDir, sqliteFileName), column)).toEqual([{ name: 'next' }])
})

it('16.120 of the copies before migrations, the three latest are kept, whatever their names', async () => {
  const dataDir = await makeFolder()
  const copies = join(dataDir, migrationCopiesFolder)
  await (await openVersionWith({ databaseUrl: null, dataDir }, ['001', '003'])).destroy()
  await mkdir(copies)
  for (const [index, name] of ['007-c', '008-a', '009-b'].entries()) {
    const path = join(copies, `${name}.sqlite`)
    await writeFile(path, '')
    await utimes(path, index + 1, index + 1)
  }
  const db = await openDatabase({ databaseUrl: null, dataDir })
  onTestFinished(() => db.destroy())
  const kept = (await readdir(copies)).toSorted()
  expect(kept).toEqual(['002-library-files.sqlite', '008-a.sqlite', '009-b.sqlite'])
})

describe('a copy before a migration', () => {
  /** Makes a database of an earlier version, of several pages. */
  const makeEarlier = async (): Promise<{ dataDir: string; path: string; copies: string }> => {
    const dataDir = await makeFolder()
    const db = await openVersionWith({ databaseUrl: null, dataDir }, ['001'])
    await sql`create table filler as with recursive count(n) as (select 1 union all select n + 1 from count where n < 99)
      select randomblob(4000) from count`.execute(db)
    await db.destroy()
    return { dataDir, path: join(dataDir, sqliteFileName), copies: join(dataDir, migrationCopiesFolder) }
  }

  const writeAt = async (path: string, at: number, bytes: Buffer): Promise<void> => {
    const file = await openFile(path, 'r+')
    await file.write(bytes, 0, bytes.length, at)
    await file.close()
  }

  it('16.210 leaves nothing where it fails', async () => {
    const { dataDir, path, copies } = await makeEarlier()
    const leaves =
      "select pageno from dbstat where name = 'filler' and pagetype = 'leaf' order by pageno desc"
    const [leaf] = readAll(path, leaves) as { pageno: number }[]
    await writeAt(path, ((leaf?.pageno ?? 0) - 1) * 4_096, Buffer.alloc(4_096, 0xff))
    await expect(openDatabase({ databaseUrl: null, dataDir })).rejects.toThrow('malformed')
    expect(await readdir(copies)).toEqual([])
  })

  it('16.210 goes where the migration fails', async () => {
    const { dataDir, copies } = await makeEarlier()
    const db = await openVersionWith({ databaseUrl: null, dataDir }, ['001'])
    onTestFinished(() => db.destroy())
    const fail = async () => Promise.reject(new Error('no such column'))
    const migrations = { '001-initial-tables': { up: fail }, '002-next': { up: fail } }
    await expect(migrate(db, { migrations, copiesDir: copies })).rejects.toThrow('no such column')
    expect(await readdir(copies)).toEqual([])
  })

  it('16.210 is not begun where the disk has too little space, and the error says how much it takes', async () => {
    const { dataDir, path, copies } = await makeEarlier()
    // 8 TB, of which the disk holds the few pages that were written.
    const pages = Buffer.alloc(4)
    pages.writeUInt32BE(2 ** 31 - 2)
    await writeAt(path, 28, pages)
    await truncate(path, (2 ** 31 - 2) * 4_096)
    await expect(openDatabase({ databaseUrl: null, dataDir })).rejects.toThrow(
      /^DATA_DIR: .*which takes 879609\d MB, and \d+ MB are free there\. Make room/,
    )
    expect(await readdir(copies)).toEqual([])
  })

  it('16.210 that was interrupted is removed at the next start', async () => {
    const dataDir = await makeFolder()
    for (const name of ['007-c.sqlite', '008-a.sqlite.123.part'])
      await writeIn(dataDir, join(migrationCopiesFolder, name), 'x')
    await startApp({ dataDir })
    expect(await readdir(join(dataDir, migrationCopiesFolder))).toEqual(['007-c.sqlite'])
  })
})

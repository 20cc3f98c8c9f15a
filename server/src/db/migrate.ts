import { mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Migration, Migrator } from 'kysely/migration'
import { type Kysely, sql } from 'kysely'
import type { Database } from './schema.ts'

/** In the data folder: copies of the database, each made before a migration. */
export const migrationCopiesFolder = 'before-migrations'
const copiesKept = 3
const migrationTable = 'kysely_migration'

interface MigrateOptions {
  /** By name, in order. */
  migrations: Record<string, Migration>
  /** Gets a copy of the database before a migration changes it; null for a database that is copied by its own tools. */
  copiesDir: string | null
  /** Refuses a database that lacks migrations instead. */
  mustBeCurrent?: boolean | undefined
}

/**
 * Runs pending migrations in one transaction and under a lock: processes that start at the same time wait for the
 * first of them.
 * @throws NewerDatabaseError where a later version of Earshot has migrated the database, OlderDatabaseError where
 *   migrations are pending and `mustBeCurrent`, or EmptyDatabaseError where all are
 */
export async function migrate(db: Kysely<Database>, options: MigrateOptions): Promise<void> {
  const { migrations, copiesDir, mustBeCurrent } = options
  const done = await listMigrations(db)
  const unknown = done.find((name) => !(name in migrations))
  if (unknown !== undefined) throw new NewerDatabaseError(unknown)
  const next = Object.keys(migrations).find((name) => !done.includes(name))
  if (next === undefined) return
  if (mustBeCurrent) throw done.length === 0 ? new EmptyDatabaseError() : new OlderDatabaseError(next)
  const copy = copiesDir !== null && done.length > 0 ? await copyBefore(db, next, copiesDir) : null
  const provider = { getMigrations: async () => migrations }
  // Migrations were written side by side: one may be added after another with a higher number has been run.
  const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  // Where the database is as before, a copy would only take the space that the next attempt needs.
  if (copy !== null && !(await listMigrations(db)).includes(next)) await rm(copy, { force: true })
  throw error
}

/** The database has a migration that this version does not know. */
export class NewerDatabaseError extends Error {
  constructor(migration: string) {
    super(
      `it was made by a newer version of Earshot (migration ${migration}). ` +
        'Update Earshot, or restore a backup that was made before the update',
    )
    this.name = 'NewerDatabaseError'
  }
}

/** The database lacks a migration of this version. */
class OlderDatabaseError extends Error {
  constructor(migration: string) {
    super(
      `it was made by an older version of Earshot (without migration ${migration}), which may be running. ` +
        'Use the command of that version, or start this version of the server first',
    )
    this.name = 'OlderDatabaseError'
  }
}

/** The database has no tables yet. */
class EmptyDatabaseError extends Error {
  constructor() {
    super(
      'it is empty. Is it the database of the server? A new server makes its tables when it is first started',
    )
    this.name = 'EmptyDatabaseError'
  }
}

/** Lists the names of the migrations that a database has, in order; none for an empty database. */
export async function listMigrations(db: Kysely<Database>): Promise<string[]> {
  const known = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!known.some(({ name }) => name === migrationTable)) return []
  const { rows } = await sql<{
    name: string
  }>`select name from ${sql.table(migrationTable)} order by name`.execute(db)
  return rows.map((row) => row.name)
}

const unfinished = /\.part(-journal)?$/

/** Removes what copies left that a killed process was making. Only for a process that has the data folder alone. */
export async function removeUnfinishedCopies(dataDir: string): Promise<void> {
  const folder = join(dataDir, migrationCopiesFolder)
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((each) => unfinished.test(each)))
    await rm(join(folder, name), { force: true })
}

/**
 * Copies a SQLite database as of one instant. A copy that was cut off never has the final name. Resolves to the
 * copy's path; null where another process has migrated the database meanwhile, whose copy is the right one.
 */
async function copyBefore(db: Kysely<Database>, migration: string, folder: string): Promise<string | null> {
  const path = join(folder, `${migration}.sqlite`)
  const aside = `${path}.${process.pid}.part`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await requireSpace(db, folder)
  await rm(aside, { force: true })
  try {
    await sql`vacuum into ${aside}`.execute(db)
    if ((await listMigrations(db)).includes(migration)) return null
    await rename(aside, path)
  } finally {
    await rm(aside, { force: true })
  }
  await removeOldCopies(folder)
  return path
}

/** SQLite would fill the disk before it fails. */
async function requireSpace(db: Kysely<Database>, folder: string): Promise<void> {
  const { rows } = await sql<{ needed: number }>`select (page_count - freelist_count) * page_size as needed
    from pragma_page_count(), pragma_freelist_count(), pragma_page_size()`.execute(db)
  const { bavail, bsize } = await statfs(folder)
  const [needed, free] = [Number(rows[0]?.needed), bavail * bsize]
  if (needed <= free) return
  const [neededMb, freeMb] = [Math.ceil(needed / 1_000_000), Math.floor(free / 1_000_000)]
  throw new Error(
    `an update copies it to ${folder} first, which takes ${neededMb} MB, and ${freeMb} MB are free there. ` +
      'Make room, then start again; older copies in that folder may go',
  )
}

async function removeOldCopies(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sqlite'))
  const copies = names.map(async (name) => ({ name, madeMs: (await stat(join(folder, name))).mtimeMs }))
  const oldestFirst = (await Promise.all(copies)).toSorted((a, b) => a.madeMs - b.madeMs)
  for (const { name } of oldestFirst.slice(0, -copiesKept)) await rm(join(folder, name), { force: true })
}

import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Migration, Migrator } from 'kysely/migration'
import { type Kysely, sql } from 'kysely'
import type { Database } from './schema.ts'

/** In the data folder: copies of the database, each made before a migration. */
export const migrationCopiesFolder = 'before-migrations'
const copiesKept = 3
const migrationTable = 'kysely_migration'

export interface MigrateOptions {
  /** By name, in order. */
  migrations: Record<string, Migration>
  /** Gets a copy of the database before a migration changes it; null for a database that is copied by its own tools. */
  copiesDir: string | null
}

/**
 * Runs pending migrations in one transaction and under a lock: processes that start at the same time wait for the
 * first of them.
 * @throws NewerDatabaseError where a later version of Earshot has migrated the database
 */
export async function migrate(db: Kysely<Database>, options: MigrateOptions): Promise<void> {
  const { migrations, copiesDir } = options
  const done = await listMigrations(db)
  const unknown = done.find((name) => !(name in migrations))
  if (unknown !== undefined) throw new NewerDatabaseError(unknown)
  const next = Object.keys(migrations).find((name) => !done.includes(name))
  if (next === undefined) return
  if (copiesDir !== null && done.length > 0) await copyBefore(db, next, copiesDir)
  const provider = { getMigrations: async () => migrations }
  // Migrations were written side by side: one may be added after another with a higher number has been run.
  const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
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

/** Lists the names of the migrations that a database has, in order; none for an empty database. */
export async function listMigrations(db: Kysely<Database>): Promise<string[]> {
  const known = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!known.some(({ name }) => name === migrationTable)) return []
  const { rows } = await sql<{
    name: string
  }>`select name from ${sql.table(migrationTable)} order by name`.execute(db)
  return rows.map((row) => row.name)
}

/** Copies a SQLite database as of one instant. A copy that was cut off never has the final name. */
async function copyBefore(db: Kysely<Database>, migration: string, folder: string): Promise<void> {
  const path = join(folder, `${migration}.sqlite`)
  const aside = `${path}.${process.pid}.part`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await rm(aside, { force: true })
  await sql`vacuum into ${aside}`.execute(db)
  // Another process may have migrated meanwhile: its copy is the right one.
  const isStillBefore = !(await listMigrations(db)).includes(migration)
  if (!isStillBefore) return rm(aside, { force: true })
  await rename(aside, path)
  await removeOldCopies(folder)
}

async function removeOldCopies(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sqlite'))
  const copies = names.map(async (name) => ({ name, madeMs: (await stat(join(folder, name))).mtimeMs }))
  const oldestFirst = (await Promise.all(copies)).toSorted((a, b) => a.madeMs - b.madeMs)
  for (const { name } of oldestFirst.slice(0, -copiesKept)) await rm(join(folder, name), { force: true })
}

import { chmod, copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeDataFolder } from '../../data-folder.ts'
import { sqliteFileName } from '../../db/database.ts'
import { errorCode } from '../../error-code.ts'
import { type BackupManifest, backupNames, writeManifest } from './manifest.ts'
import { dumpPostgres, readMigrations } from './postgres-dump.ts'

/** Where a server keeps its data. */
export interface DataPlace {
  /** Null for SQLite in the data folder. */
  databaseUrl: string | null
  dataDir: string
}

/**
 * Copies database, secret and covers into a new or empty folder, while the server runs. The database is copied as of
 * one instant. Returns the manifest, which is written last.
 * @throws Error where the folder is not empty and stays as it is, or a part cannot be copied; the folder is empty then
 */
export async function backUp(place: DataPlace, folder: string, version: string): Promise<BackupManifest> {
  await makeDataFolder(folder, 'backup')
  if ((await readdir(folder)).length > 0)
    throw new Error(`${folder} is not empty. Name a folder for this backup alone`)
  try {
    return await copyAll(place, folder, version)
  } catch (error) {
    // A full disk would stay full.
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
    throw error
  }
}

async function copyAll(
  { databaseUrl, dataDir }: DataPlace,
  folder: string,
  version: string,
): Promise<BackupManifest> {
  const madeAt = new Date().toISOString()
  const engine = databaseUrl === null ? 'sqlite' : 'postgres'
  const migrations =
    databaseUrl === null ? copySqlite(dataDir, folder) : await copyPostgres(databaseUrl, folder)
  await copyIfPresent(() => copyFile(join(dataDir, 'secret'), join(folder, backupNames.secret)))
  await copyIfPresent(() => chmod(join(folder, backupNames.secret), 0o600))
  await copyCovers(dataDir, folder)
  return writeManifest(folder, { version, engine, madeAt, migrations })
}

/** Copies in one read transaction, checks the copy, and returns its migrations. */
function copySqlite(dataDir: string, folder: string): string[] {
  const copy = join(folder, backupNames.sqlite)
  const source = openFile(join(dataDir, sqliteFileName))
  try {
    source.prepare('vacuum into ?').run(copy)
  } finally {
    source.close()
  }
  const copied = openFile(copy)
  try {
    const [check] = copied.prepare('pragma quick_check(1)').all()
    if (check?.['quick_check'] !== 'ok')
      throw new Error(`The copy of the database is damaged: ${JSON.stringify(check)}`)
    const rows = copied.prepare('select name from kysely_migration order by name').all()
    return rows.map((row) => String(row['name']))
  } finally {
    copied.close()
  }
}

function openFile(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly: true, timeout: 10_000 })
  } catch (error) {
    throw new Error(`DATA_DIR: there is no database ${path} that can be read`, { cause: error })
  }
}

async function copyPostgres(databaseUrl: string, folder: string): Promise<string[]> {
  const migrations = await readMigrations(databaseUrl)
  await dumpPostgres(databaseUrl, join(folder, backupNames.postgres))
  return migrations
}

async function copyCovers(dataDir: string, folder: string): Promise<void> {
  const source = join(dataDir, 'covers')
  const target = join(folder, backupNames.covers)
  for (const entry of await readdir(source, { withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue
    await mkdir(target, { recursive: true, mode: 0o700 })
    await copyIfPresent(() => copyFile(join(source, entry.name), join(target, entry.name)))
  }
}

/** The server makes the secret and the covers when it needs them, and removes old covers at any time. */
async function copyIfPresent(copy: () => Promise<void>): Promise<void> {
  try {
    await copy()
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

import { copyFile, cp, mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { makeDataFolder } from '../../data-folder.ts'
import { migrationNames, sqliteFileName } from '../../db/database.ts'
import { NewerDatabaseError } from '../../db/migrate.ts'
import { lockFileName, lockForProcess } from '../process-lock.ts'
import type { DataPlace } from './back-up.ts'
import { type BackupManifest, backupNames, readManifest } from './manifest.ts'
import { countTables, dropTables, dumpPostgres, loadPostgres } from './postgres-dump.ts'

export interface RestoreOptions {
  /** Replaces data that is there; it is kept in a folder `replaced-...` of the data folder. */
  isForced: boolean
  logger: Logger
}

export interface Restored {
  manifest: BackupManifest
  /** Where the data that was there is kept; null where there was none. */
  replacedDir: string | null
  /** False where the backed-up server had its secret in the environment. */
  hasSecret: boolean
}

/**
 * Puts a backup in the place of a server's data, while no server runs on it. Checks the whole backup first.
 * @throws Error where the backup is incomplete, damaged, of a newer version or of the other engine, where a server
 *   runs, or where data is there and `isForced` is false; nothing is changed then
 */
export async function restore(place: DataPlace, folder: string, options: RestoreOptions): Promise<Restored> {
  const manifest = await readManifest(folder)
  const newer = manifest.migrations.find((name) => !migrationNames.includes(name))
  if (newer !== undefined)
    throw new Error(`The backup cannot be used: ${new NewerDatabaseError(newer).message}`)
  checkEngine(place, manifest)
  await makeDataFolder(place.dataDir)
  const lock = await lockForProcess({ ...place, isShared: false, logger: options.logger, waitMs: 0 })
  try {
    const replacedDir = await clear(place, options.isForced)
    await load(place, folder)
    return { manifest, replacedDir, hasSecret: backupNames.secret in manifest.files }
  } finally {
    await lock.release()
  }
}

function checkEngine({ databaseUrl }: DataPlace, { engine }: BackupManifest): void {
  if (engine === 'sqlite' && databaseUrl !== null) {
    throw new Error('DATABASE_URL: this is a backup of a SQLite database. Restore it without DATABASE_URL')
  }
  if (engine === 'postgres' && databaseUrl === null) {
    throw new Error(
      'DATABASE_URL: this is a backup of a PostgreSQL database. Set it to the database to restore into',
    )
  }
}

/** Moves data that is there aside. Returns the folder it is now in, null where there was none. */
async function clear({ databaseUrl, dataDir }: DataPlace, isForced: boolean): Promise<string | null> {
  const names = (await readdir(dataDir)).filter((name) => !name.startsWith(lockFileName))
  const tables = databaseUrl === null ? 0 : await countTables(databaseUrl)
  if (names.length === 0 && tables === 0) return null
  if (!isForced) {
    const place =
      names.length > 0 ? `DATA_DIR: ${dataDir} is not empty` : 'DATABASE_URL: the database is not empty'
    throw new Error(`${place}. To replace what is there, add --force; it is then kept aside`)
  }
  const replacedDir = join(dataDir, `replaced-${new Date().toISOString().replaceAll(':', '-')}`)
  await mkdir(replacedDir, { mode: 0o700 })
  if (databaseUrl !== null && tables > 0) {
    await dumpPostgres(databaseUrl, join(replacedDir, backupNames.postgres))
    await dropTables(databaseUrl)
  }
  const ours = names.filter(
    (name) => name === backupNames.secret || name === backupNames.covers || name.startsWith(sqliteFileName),
  )
  for (const name of ours) await rename(join(dataDir, name), join(replacedDir, name))
  return replacedDir
}

/** The database comes last, under its own name only when it is complete. */
async function load({ databaseUrl, dataDir }: DataPlace, folder: string): Promise<void> {
  const names = await readdir(folder)
  const { secret, covers, sqlite, postgres } = backupNames
  if (names.includes(secret)) await copyFile(join(folder, secret), join(dataDir, secret))
  if (names.includes(covers)) await cp(join(folder, covers), join(dataDir, covers), { recursive: true })
  if (databaseUrl !== null) return loadPostgres(databaseUrl, join(folder, postgres))
  const path = join(dataDir, sqliteFileName)
  await copyFile(join(folder, sqlite), `${path}.part`)
  await rename(`${path}.part`, path)
}

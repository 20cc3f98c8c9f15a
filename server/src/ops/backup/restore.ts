import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { giveToOwner, makeDataFolder } from '../../data-folder.ts'
import { migrationNames, sqliteFileName } from '../../db/database.ts'
import { NewerDatabaseError } from '../../db/migrate.ts'
import { lockFileName, lockForProcess } from '../process-lock.ts'
import type { DataPlace } from './back-up.ts'
import { type BackupManifest, backupNames, readManifest } from './manifest.ts'
import { countTables, dropTables, dumpPostgres, loadPostgres } from './postgres-dump.ts'

/** In the data folder: where the backup is copied to before it replaces anything. */
const stagingFolder = 'restoring'
const replacedPrefix = 'replaced-'

interface RestoreOptions {
  /** Replaces data that is there; it is kept in a folder `replaced-...` of the data folder. */
  isForced: boolean
  logger: Logger
}

interface Restored {
  manifest: BackupManifest
  /** Where the data that was there is kept; null where there was none. */
  replacedDir: string | null
  /** False where the backed-up server had its secret in the environment. */
  hasSecret: boolean
  /** Why the files could not be given to the owner of the data folder; null where they were. */
  ownerError: string | null
}

/**
 * Puts a backup in the place of a server's data, while no server runs on it. Checks the whole backup first.
 * @throws Error where the backup is incomplete, damaged, of a newer version or of the other engine, where a server
 *   runs, where data is there and `isForced` is false, or where a part cannot be put in its place; what was there stays then
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
    const hasData = await findData(place, options.isForced)
    const stamp = new Date().toISOString().replaceAll(':', '-')
    const replacedDir = hasData ? join(place.dataDir, replacedPrefix + stamp) : null
    await replace(place, folder, replacedDir)
    const hasSecret = backupNames.secret in manifest.files
    return { manifest, replacedDir, hasSecret, ownerError: await giveAll(place.dataDir) }
  } catch (error) {
    await giveAll(place.dataDir)
    throw error
  } finally {
    await lock.release()
  }
}

/**
 * Gives what a restore made to the owner of the data folder. Resolves to why it could not, which is no failure of the
 * restore.
 */
async function giveAll(dataDir: string): Promise<string | null> {
  try {
    const names = (await readdir(dataDir)).filter((name) => isPart(name) || isOwn(name))
    await giveToOwner(dataDir, names)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Whether a restore replaces a file. It leaves all others in the data folder, such as backups, as they are. */
const isPart = (name: string): boolean =>
  name === backupNames.secret || name === backupNames.covers || name.startsWith(sqliteFileName)

/** Whether only a restore makes a file, or makes it where no server has run. */
const isOwn = (name: string): boolean => name.startsWith(replacedPrefix) || name.startsWith(lockFileName)

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

/** Returns whether there is data to replace. @throws Error where there is and it may not be replaced */
async function findData({ databaseUrl, dataDir }: DataPlace, isForced: boolean): Promise<boolean> {
  const names = (await readdir(dataDir)).filter(isPart)
  const tables = databaseUrl === null ? 0 : await countTables(databaseUrl)
  if (names.length === 0 && tables === 0) return false
  if (isForced) return true
  const place =
    names.length > 0
      ? `DATA_DIR: ${dataDir} is not empty (${names.join(', ')})`
      : 'DATABASE_URL: the database is not empty'
  throw new Error(`${place}. To replace what is there, add --force; it is then kept aside`)
}

/** Steps that take back what was done, the latest last. */
type Undo = (() => Promise<unknown>)[]

/** Copies the backup beside what is there, and only then moves that aside. Where a step fails, those before are undone. */
async function replace(
  { databaseUrl, dataDir }: DataPlace,
  backup: string,
  replacedDir: string | null,
): Promise<void> {
  const staged = join(dataDir, stagingFolder)
  const undo: Undo = []
  try {
    await copyParts(backup, staged)
    if (replacedDir !== null) {
      await mkdir(replacedDir, { mode: 0o700 })
      undo.push(() => rm(replacedDir, { recursive: true }))
      undo.push(() => moveParts(replacedDir, dataDir))
      await moveParts(dataDir, replacedDir)
    }
    if (databaseUrl !== null) {
      if (replacedDir !== null) await clearTables(databaseUrl, replacedDir, undo)
      await loadPostgres(databaseUrl, join(backup, backupNames.postgres))
    }
    await moveParts(staged, dataDir)
  } catch (error) {
    throw replacedDir === null ? error : await takeBack(undo, error, replacedDir)
  } finally {
    await rm(staged, { recursive: true, force: true })
  }
}

/** Keeps the tables in a file, then drops them. */
async function clearTables(databaseUrl: string, folder: string, undo: Undo): Promise<void> {
  const kept = join(folder, backupNames.postgres)
  await dumpPostgres(databaseUrl, kept)
  // Pushed first: the connection may be lost once they are dropped. Where they are not, this fails and changes nothing.
  undo.push(() => loadPostgres(databaseUrl, kept))
  await dropTables(databaseUrl)
}

async function takeBack(undo: Undo, error: unknown, kept: string): Promise<Error> {
  const reason = error instanceof Error ? error.message : String(error)
  try {
    for (const step of undo.toReversed()) await step()
    return new Error(`${reason}\nNothing is restored: what was there is in its place again.`, {
      cause: error,
    })
  } catch (failure) {
    return new Error(
      `${reason}\nWhat was there is in ${kept}, and could not be put back: ${String(failure)}`,
      {
        cause: error,
      },
    )
  }
}

async function copyParts(from: string, to: string): Promise<void> {
  const { secret, covers, sqlite } = backupNames
  // A killed command may have left one.
  await rm(to, { recursive: true, force: true })
  await mkdir(to, { mode: 0o700 })
  const names = (await readdir(from)).filter((name) => [secret, covers, sqlite].includes(name))
  for (const name of names) await cp(join(from, name), join(to, name), { recursive: true })
}

/** The secret before the database: a server that finds none makes another. */
async function moveParts(from: string, to: string): Promise<void> {
  const names = (await readdir(from)).filter(isPart).toSorted().toReversed()
  for (const name of names) await rename(join(from, name), join(to, name))
}

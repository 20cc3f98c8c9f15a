import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@earshot/core/protocol/errors'
import { Kysely, PostgresAdapter, type SelectQueryBuilder } from 'kysely'
import type { PoolSettings } from './dialects/postgres.ts'
import { migrate, migrationCopiesFolder } from './migrate.ts'
import { initialTables } from './migrations/001-initial-tables.ts'
import { libraryFiles } from './migrations/002-library-files.ts'
import { unknownDurations } from './migrations/003-unknown-durations.ts'
import { providerTracks } from './migrations/004-provider-tracks.ts'
import { spotifyAccounts } from './migrations/005-spotify-accounts.ts'
import { youtube } from './migrations/006-youtube.ts'
import { listeningTime } from './migrations/007-listening-time.ts'
import { roomInvites } from './migrations/008-room-invites.ts'
import { roomSettings } from './migrations/009-room-settings.ts'
import { guests } from './migrations/010-guests.ts'
import { roomBans } from './migrations/011-room-bans.ts'
import { queueMemory } from './migrations/012-queue-memory.ts'
import { administration } from './migrations/013-administration.ts'
import { readiness } from './migrations/014-readiness.ts'
import { roomSearch } from './migrations/015-room-search.ts'
import { clientMessageIds } from './migrations/017-client-message-ids.ts'
import { libraryPlaces } from './migrations/018-library-places.ts'
import { nameLooks } from './migrations/020-name-looks.ts'
import { roomInviteUses } from './migrations/021-room-invite-uses.ts'
import { missingFiles } from './migrations/022-missing-files.ts'
import { listenerCounts } from './migrations/023-listener-counts.ts'
import { pendingConfirmations } from './migrations/024-pending-confirmations.ts'
import { guestNames } from './migrations/025-guest-names.ts'
import { regionalTracks } from './migrations/026-regional-tracks.ts'
import { libraryTags } from './migrations/028-library-tags.ts'
import { googleTokens } from './migrations/029-google-tokens.ts'
import { profilePictures } from './migrations/030-profile-pictures.ts'
import { trackLoudness } from './migrations/031-track-loudness.ts'
import { albumLoudness } from './migrations/032-album-loudness.ts'
import { clearedQueues } from './migrations/033-cleared-queues.ts'
import { roomsCreated } from './migrations/034-rooms-created.ts'
import type { Database } from './schema.ts'

/** The database, or a transaction in it: the first parameter of every query function. */
export type Db = Kysely<Database>

export interface DatabaseOptions {
  /** Null for SQLite in the data folder. */
  databaseUrl: string | null
  dataDir: string
  /**
   * Called when a PostgreSQL connection breaks while idle or a thread of SQLite ends (the next query opens a new one),
   * and when another process locks SQLite for too long.
   */
  onConnectionError?: (error: Error) => void
  /** How long a write waits for another process that locks SQLite, in ms. */
  busyTimeoutMs?: number
  /** For PostgreSQL. */
  pool?: PoolSettings
  /** Refuses a database that lacks migrations: an older server may be running on it. */
  mustBeCurrent?: boolean | undefined
}

/**
 * Opens the database and runs pending migrations; several processes may do so at once. If it cannot be opened, rejects
 * with a message that names the environment variable.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Db> {
  let db: Db | null = null
  try {
    if (options.databaseUrl !== null) await migratePostgres(options)
    db = await connect(options)
    if (options.databaseUrl === null) {
      const copiesDir = join(options.dataDir, migrationCopiesFolder)
      await migrate(db, { migrations, copiesDir, mustBeCurrent: options.mustBeCurrent })
    }
    return db
  } catch (error) {
    await db?.destroy()
    throw databaseError(options, error)
  }
}

/** In order. Never edit a released migration: add a new one. */
export const migrations = {
  '001-initial-tables': initialTables,
  '002-library-files': libraryFiles,
  '003-unknown-durations': unknownDurations,
  '004-provider-tracks': providerTracks,
  '005-spotify-accounts': spotifyAccounts,
  '006-youtube': youtube,
  '007-listening-time': listeningTime,
  '008-room-invites': roomInvites,
  '009-room-settings': roomSettings,
  '010-guests': guests,
  '011-room-bans': roomBans,
  '012-queue-memory': queueMemory,
  '013-administration': administration,
  '014-readiness': readiness,
  '015-room-search': roomSearch,
  '017-client-message-ids': clientMessageIds,
  '018-library-places': libraryPlaces,
  '020-name-looks': nameLooks,
  '021-room-invite-uses': roomInviteUses,
  '022-missing-files': missingFiles,
  '023-listener-counts': listenerCounts,
  '024-pending-confirmations': pendingConfirmations,
  '025-guest-names': guestNames,
  '026-regional-tracks': regionalTracks,
  '028-library-tags': libraryTags,
  '029-google-tokens': googleTokens,
  '030-profile-pictures': profilePictures,
  '031-track-loudness': trackLoudness,
  '032-album-loudness': albumLoudness,
  '033-cleared-queues': clearedQueues,
  '034-rooms-created': roomsCreated,
}

/** The migrations that this version knows, in order. */
export const migrationNames: readonly string[] = Object.keys(migrations)

/** On a connection of its own, since a migration may take longer than any statement of a running server. */
async function migratePostgres(options: DatabaseOptions): Promise<void> {
  const db = await connect({ ...options, pool: { size: 1, statementTimeoutMs: 0, keepAliveMs: 30_000 } })
  try {
    await migrate(db, { migrations, copiesDir: null, mustBeCurrent: options.mustBeCurrent })
  } finally {
    await db.destroy()
  }
}

async function connect(options: DatabaseOptions): Promise<Db> {
  const { databaseUrl, dataDir, busyTimeoutMs, onConnectionError: onError = () => {} } = options
  if (databaseUrl !== null) {
    const { createPostgresDialect } = await import('./dialects/postgres.ts')
    return new Kysely({ dialect: createPostgresDialect(databaseUrl, onError, options.pool) })
  }
  const { createSqliteDialect } = await import('./dialects/sqlite.ts')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, sqliteFileName)
  return new Kysely({ dialect: createSqliteDialect({ path, busyTimeoutMs, onError }) })
}

export const sqliteFileName = 'earshot.sqlite'

/** Returns the error of a database that cannot be opened, with the setting to look at. */
export function databaseError(
  { databaseUrl, dataDir }: Pick<DatabaseOptions, 'databaseUrl' | 'dataDir'>,
  error: unknown,
): Error {
  const source = error instanceof AppError ? error.cause : error
  const reason = source instanceof Error ? source.message || source.name : String(source)
  const message =
    databaseUrl === null
      ? `DATA_DIR: the database in ${dataDir} cannot be opened: ${reason}${ownerHint(reason)}`
      : `DATABASE_URL: the PostgreSQL database cannot be opened: ${reason}`
  return new Error(message, { cause: error })
}

/** As after a first start with `sudo`. */
function ownerHint(reason: string): string {
  const isRefused = /unable to open|readonly/.test(reason)
  return isRefused ? '. Do the files there belong to the user that runs the server?' : ''
}

/** Returns the database's engine; the sign-in library needs different settings for each. */
export function engineOf(db: Db): 'postgres' | 'sqlite' {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}

/**
 * Makes a select lock its rows of `table` until the transaction ends. Rows that refer to a locked row can still be
 * inserted. On SQLite it changes nothing: a transaction locks the whole database.
 */
export function lockRow<DB, Tables extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Tables, Row>,
  table: Tables & string,
): SelectQueryBuilder<DB, Tables, Row> {
  return query.forNoKeyUpdate(table)
}

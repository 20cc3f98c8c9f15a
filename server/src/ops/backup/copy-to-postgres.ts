import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ColumnMetadata, sql, type TableMetadata } from 'kysely'
import type { Logger } from 'pino'
import { type Db, openDatabase, sqliteFileName } from '../../db/database.ts'
import { lockForProcess } from '../process-lock.ts'
import { countTables, dropTables } from './postgres-dump.ts'

const batchSize = 500

interface Copied {
  tables: number
  rows: number
}

/**
 * Copies the SQLite database of a data folder into an empty PostgreSQL, while no server uses either. The SQLite file stays.
 * @throws Error where there is no SQLite, where PostgreSQL is not empty, or where a server runs; nothing is changed then
 */
export async function copyToPostgres(
  place: { dataDir: string; databaseUrl: string },
  logger: Logger,
): Promise<Copied> {
  const { dataDir, databaseUrl } = place
  const from = { databaseUrl: null, dataDir }
  if (!existsSync(join(dataDir, sqliteFileName)))
    throw new Error(`DATA_DIR: there is no SQLite database in ${dataDir}`)
  const locks = [await lockForProcess({ ...from, isShared: false, logger, waitMs: 0 })]
  try {
    locks.push(await lockForProcess({ ...place, isShared: false, logger, waitMs: 0 }))
    if ((await countTables(databaseUrl)) > 0)
      throw new Error('DATABASE_URL: the database is not empty. Name an empty one')
    return await copyAll(from, place)
  } finally {
    for (const lock of locks) await lock.release()
  }
}

async function copyAll(
  from: { databaseUrl: null; dataDir: string },
  to: { databaseUrl: string; dataDir: string },
): Promise<Copied> {
  // Both have the tables of this version then.
  const source = await openDatabase(from)
  try {
    const target = await openDatabase(to)
    try {
      const copied = { tables: 0, rows: 0 }
      const tables = await listTables(target)
      const known = new Map((await source.introspection.getTables()).map((table) => [table.name, table]))
      await target.transaction().execute(async (change) => {
        for (const table of tables) {
          // Migrations may fill a table.
          await sql`delete from ${sql.table(table.name)}`.execute(change)
          copied.tables += 1
          copied.rows += await copyTable(source, change, { table, before: known.get(table.name) })
        }
        // The rooms came with theirs, and the members were counted once more.
        await sql`update rooms set listeners = (select count(*) from user_rooms where room_id = rooms.id)`.execute(
          change,
        )
      })
      return copied
    } finally {
      await target.destroy()
    }
  } catch (error) {
    await dropTables(to.databaseUrl)
    throw error
  } finally {
    await source.destroy()
  }
}

/** Lists the tables, each after those that it refers to. */
async function listTables(target: Db): Promise<TableMetadata[]> {
  const tables = await target.introspection.getTables()
  const { rows } = await sql<{
    table: string
    needs: string
  }>`select child.relname as "table", parent.relname as "needs"
    from pg_constraint join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
    where contype = 'f' and conrelid <> confrelid`.execute(target)
  const sorted = new Set<TableMetadata>()
  const add = (table: TableMetadata): void => {
    const needed = rows.filter((row) => row.table === table.name).map((row) => row.needs)
    for (const other of tables) if (needed.includes(other.name) && !sorted.has(other)) add(other)
    sorted.add(table)
  }
  for (const table of tables.filter(({ isView }) => !isView)) add(table)
  return [...sorted]
}

async function copyTable(
  source: Db,
  target: Db,
  { table, before }: { table: TableMetadata; before: TableMetadata | undefined },
): Promise<number> {
  const names = new Set(before?.columns.map(({ name }) => name))
  const columns = table.columns.filter(({ name }) => names.has(name))
  if (columns.length === 0) return 0
  const list = sql.join(columns.map(({ name }) => sql.ref(name)))
  let copied = 0
  for (;;) {
    const { rows } = await sql<Record<string, unknown>>`select ${list} from ${sql.table(table.name)}
      order by rowid limit ${batchSize} offset ${copied}`.execute(source)
    if (rows.length === 0) return copied
    const values = rows.map(
      (row) => sql`(${sql.join(columns.map((column) => convert(row[column.name], column)))})`,
    )
    await sql`insert into ${sql.table(table.name)} (${list}) values ${sql.join(values)}`.execute(target)
    copied += rows.length
  }
}

/** SQLite has numbers for truth values, fractions in columns of whole numbers, and texts that PostgreSQL refuses. */
function convert(value: unknown, { dataType }: ColumnMetadata): unknown {
  if (dataType === 'bool' && value !== null) return Boolean(value)
  if (typeof value === 'number' && dataType.startsWith('int')) return Math.round(value)
  return typeof value === 'string' ? value.replaceAll('\0', '') : value
}

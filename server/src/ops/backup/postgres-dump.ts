import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { Client } from 'pg'
import { databaseError } from '../../db/database.ts'
import { errorCode } from '../../error-code.ts'

/** Writes a consistent copy of a PostgreSQL database to a file, by pg_dump. */
export async function dumpPostgres(databaseUrl: string, path: string): Promise<void> {
  await runTool('pg_dump', databaseUrl, [
    '--format=custom',
    '--no-owner',
    '--no-privileges',
    `--file=${path}`,
  ])
}

/** Loads such a file into a database without tables, in one transaction, by pg_restore. */
export async function loadPostgres(databaseUrl: string, path: string): Promise<void> {
  const options = [
    '--no-owner',
    '--no-privileges',
    '--no-comments',
    '--single-transaction',
    '--exit-on-error',
  ]
  await runTool('pg_restore', databaseUrl, [...options, path])
}

/** Returns the names of the database's migrations, in order. Does not migrate it. */
export async function readMigrations(databaseUrl: string): Promise<string[]> {
  return runOnce(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name')
    return rows.map((row) => row.name)
  })
}

/** Returns the number of tables in the database's current schema. */
export async function countTables(databaseUrl: string): Promise<number> {
  return runOnce(databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int as count from pg_tables where schemaname = current_schema()',
    )
    return rows[0]?.count ?? 0
  })
}

/** Drops all tables of the current schema, and the functions of our triggers. */
export async function dropTables(databaseUrl: string): Promise<void> {
  await runOnce(databaseUrl, (client) =>
    client.query(`do $$ declare name text; begin
      for name in select tablename from pg_tables where schemaname = current_schema()
      loop execute format('drop table if exists %I cascade', name); end loop;
      drop function if exists earshot_count_listeners(); end $$`),
  )
}

async function runOnce<Result>(
  databaseUrl: string,
  run: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: databaseUrl })
  try {
    await client.connect()
    return await run(client)
  } catch (error) {
    throw databaseError({ databaseUrl, dataDir: '' }, error)
  } finally {
    await client.end()
  }
}

/** The password goes into the environment: arguments are visible to every user of the machine. */
async function runTool(name: string, databaseUrl: string, options: string[]): Promise<void> {
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  url.password = ''
  const child = spawn(name, [`--dbname=${url.href}`, ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...(password === '' ? {} : { PGPASSWORD: password }) },
  })
  try {
    const [[code], said] = await Promise.all([once(child, 'close'), text(child.stderr)])
    if (code !== 0) throw new Error(`${name} failed: ${said.trim() || `exit code ${String(code)}`}`)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    throw new Error(
      `${name} is not installed here. Install PostgreSQL's client programs (Debian: postgresql-client), ` +
        "of the version of the server or newer. The image has none: use those of the database's container, " +
        'see "With compose.cluster.yaml" in docs/operating.md',
      { cause: error },
    )
  }
}

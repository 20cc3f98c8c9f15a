import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { findFreePort } from './free-port.ts'

export interface Engine {
  url: string
  stop(): Promise<void>
}

const versionsFolder = '/usr/lib/postgresql'
const readyWithinMs = 30_000

/** Nor does it look every second for a database to vacuum, of hundreds that live for a test. */
const notDurable = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off']

/** As PostgreSQL's own `pg_ctl -m`: `fast` ends all sessions, `immediate` ends at once, as a crash does. */
type ShutdownMode = 'fast' | 'immediate'

const shutdownSignals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const

export interface PostgresEngine extends Engine {
  /** Stops it, and starts it again on the same data and port. */
  restart(mode: ShutdownMode): Promise<void>
  /** Stops it, and keeps its data for `start`. */
  halt(mode: ShutdownMode): Promise<void>
  start(): Promise<void>
  /**
   * Stops all its processes in the middle of what they do, as a machine that hangs: connections stay, nothing is
   * answered.
   */
  pause(): void
  resume(): void
  /** Makes a standby the primary, as an operator does, and waits until it takes writes. */
  promote(): void
}

export interface PostgresOptions {
  /**
   * Syncs to disk as usual: for those who measure what a commit costs, or kill it. Otherwise what it holds is thrown
   * away.
   */
  isDurable?: boolean
  /** Is kept when it stops, and may hold the data of an earlier one. Without it, a temporary one. */
  folder?: string
  /** In a process group of its own: Ctrl+C in a terminal does not reach it. */
  isDetached?: boolean
  /** Fills the folder `data` in place of `initdb`, as that of a standby. */
  fill?: (data: string, account: { uid: number; gid: number } | null) => void
  /** Further settings, as `name=value`. */
  settings?: string[]
}

/**
 * Starts a PostgreSQL of its own: an empty cluster in a temporary folder, on a free port of the loopback address.
 * Throws where PostgreSQL is not installed.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresEngine> {
  const { isDurable = false, isDetached = false, fill = initialise } = options
  const bin = findPostgres()
  const account = findAccount()
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'earshot-postgres-'))
  mkdirSync(folder, { recursive: true })
  if (account) chownSync(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  if (!existsSync(data)) fill(data, account)

  const port = await findFreePort()
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'max_connections=400',
    ...(isDurable ? [] : notDurable),
    ...(options.settings ?? []),
  ]
  const launch = (): ChildProcess =>
    spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((each) => ['-c', each])], {
      ...account,
      cwd: folder,
      detached: isDetached,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  const url = `postgres://earshot@127.0.0.1:${port}/postgres`
  let child = launch()
  const stop = async (): Promise<void> => {
    // SIGINT ends the sessions that tests left open; SIGTERM would wait for them.
    await end(child, 'SIGINT')
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
  }
  const halt = (mode: ShutdownMode): Promise<void> => end(child, shutdownSignals[mode])
  const start = async (): Promise<void> => {
    child = launch()
    await waitUntilReady(url, child)
  }
  const promote = (): void => {
    const args = ['promote', '-D', data, '--wait']
    const promoted = spawnSync(join(bin, 'pg_ctl'), args, { ...account, cwd: folder, encoding: 'utf8' })
    if (promoted.status !== 0) throw new Error(`pg_ctl promote failed: ${promoted.stderr}`)
  }
  const signalAll = (signal: 'SIGSTOP' | 'SIGCONT'): void => {
    // The parent first: it would start others meanwhile.
    const { pid = 0 } = child
    process.kill(pid, signal)
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    for (const each of children) process.kill(Number(each), signal)
  }
  const restart = async (mode: ShutdownMode): Promise<void> => {
    await halt(mode)
    await start()
  }
  try {
    await waitUntilReady(url, child)
    const pause = (): void => signalAll('SIGSTOP')
    const resume = (): void => signalAll('SIGCONT')
    return { url, stop, restart, halt, start, promote, pause, resume }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Makes an empty cluster. */
function initialise(data: string, account: { uid: number; gid: number } | null): void {
  const initialised = spawnSync(
    join(findPostgres(), 'initdb'),
    ['-D', data, '-U', 'earshot', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...account, cwd: join(data, '..'), encoding: 'utf8' },
  )
  if (initialised.status !== 0) throw new Error(`initdb failed: ${initialised.stderr}`)
}

/** The database that global-setup.ts migrates once, for tests to copy. */
export const migratedTemplate = 'migrated_template'

/** Makes a database, empty or as a copy of another, and returns its address. */
export async function createPostgresDatabase(serverUrl: string, template: string | null): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const from = template === null ? '' : ` template ${template}`
  await withClient(serverUrl, async (client) => {
    // Copying files takes less than half of the processor time. Earlier versions know no other way, and not the word.
    const { rows } = await client.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    )
    const strategy = (rows[0]?.version ?? 0) >= 150_000 ? ' strategy file_copy' : ''
    await client.query(`create database ${name}${from}${strategy}`)
  })
  return nameDatabase(serverUrl, name)
}

/** The address of a database on the same server. */
export function nameDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Runs one statement outside of any database that a test uses. */
export async function runStatement(url: string, statement: string): Promise<void> {
  await withClient(url, (client) => client.query(statement))
}

async function withClient(url: string, run: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await run(client)
  } finally {
    await client.end()
  }
}

/** Returns the folder with the programs of PostgreSQL. */
export function findPostgres(): string {
  const onPath = (process.env['PATH'] ?? '').split(':')
  const installed = existsSync(versionsFolder) ? readdirSync(versionsFolder) : []
  const newestFirst = installed
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(versionsFolder, version, 'bin'))
  const found = [...onPath, ...newestFirst].find((folder) => existsSync(join(folder, 'initdb')))
  if (found === undefined) {
    throw new Error('The tests need PostgreSQL. On Debian or Ubuntu: apt-get install postgresql')
  }
  return found
}

/** PostgreSQL refuses to run as root, where it then runs as the account that its package made. */
function findAccount(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const result = spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' })
    return result.status === 0 ? Number(result.stdout) : Number.NaN
  })
  if (uid === undefined || gid === undefined || Number.isNaN(uid) || Number.isNaN(gid)) {
    throw new Error('PostgreSQL does not run as root, and there is no account "postgres" to run it as')
  }
  return { uid, gid }
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  let log = ''
  child.stderr?.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4_000)))
  const giveUpAt = performance.now() + readyWithinMs
  while (performance.now() < giveUpAt) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with code ${child.exitCode}: ${log}`)
    const isReady = await runStatement(url, 'select 1').then(
      () => true,
      () => false,
    )
    if (isReady) return
    await delay(50)
  }
  throw new Error(`PostgreSQL was not ready within ${readyWithinMs} ms: ${log}`)
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

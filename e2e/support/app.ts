import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase, type Db } from '../../server/src/db/database.ts'
import { findFreePort } from '../../server/test/free-port.ts'
import { nodeFlags, serverFlags } from '../../tools/install.mjs'
import { copyPrepared, preparedCache } from './prepared-data.ts'

const root = join(import.meta.dirname, '..', '..')
const healthyWithinMs = 60_000

/** A server process with a data folder of its own. */
export interface App {
  url: string
  /** The address that browsers open: `url`, unless the server has a name. */
  publicUrl: string
  dataDir: string
  pid: number
  /** A second connection to its database, always the same, which closes when the process ends. */
  database(): Promise<Db>
  /** Kills the process without a chance to clean up. */
  kill(): Promise<void>
  /** Restarts it on the same address and data. Resolves to the ms until it was healthy. */
  restart(): Promise<number>
  /** Stops it and removes its data. */
  stop(): Promise<void>
}

export interface AppOptions {
  musicDir?: string
  /** The host name of `publicUrl`; see `plain-http.ts`. */
  name?: string
  env?: Record<string, string>
}

/** Starts a server and waits until it is healthy. Serves the demo tracks unless a music folder is given. */
export async function startApp(options: AppOptions = {}): Promise<App> {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-app-'))
  copyPrepared(options.musicDir ? 'migrated' : 'demo-music', dataDir)
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const publicUrl = options.name ? `http://${options.name}:${port}` : url
  const env = {
    ...process.env,
    // Playwright sets it; Node warns where both are set.
    FORCE_COLOR: undefined,
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    NODE_COMPILE_CACHE: preparedCache(),
    ...(options.musicDir ? { MUSIC_DIR: options.musicDir } : {}),
    ...(options.name ? { PUBLIC_URL: publicUrl } : {}),
    ...options.env,
  }
  let child = spawnServer(env)
  await waitUntilHealthy(url, child)
  let db: Promise<Db> | null = null
  const end = async (signal: NodeJS.Signals) => {
    await (await db)?.destroy()
    db = null
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return {
    url,
    publicUrl,
    dataDir,
    get pid() {
      return child.pid ?? 0
    },
    database: () => (db ??= openDatabase({ databaseUrl: null, dataDir })),
    kill: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGTERM')
      const startedAt = performance.now()
      child = spawnServer(env)
      await waitUntilHealthy(url, child)
      return performance.now() - startedAt
    },
    stop: async () => {
      await end('SIGTERM')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function spawnServer(env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [...nodeFlags, ...serverFlags, 'server/src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
  })
}

async function waitUntilHealthy(url: string, child: ChildProcess): Promise<void> {
  const giveUpAt = performance.now() + healthyWithinMs
  while (performance.now() < giveUpAt) {
    if (child.exitCode !== null) throw new Error(`The server ended with code ${child.exitCode}`)
    const response = await fetch(`${url}/health`).catch(() => null)
    if (response?.ok) return
    await delay(20)
  }
  child.kill('SIGKILL')
  throw new Error(`The server was not healthy within ${healthyWithinMs} ms`)
}

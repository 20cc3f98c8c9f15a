import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../server/test/free-port.ts'
import { startPostgres } from '../server/test/postgres.ts'
import { startRedis } from '../server/test/redis.ts'
import { startBalancer } from './cluster-balancer.ts'
import { nodeFlags, serverFlags } from './install.mjs'

const root = join(import.meta.dirname, '..')
const readyWithinMs = 60_000
const restartAfterMs = 2_000

export interface ClusterOptions {
  host: string
  /** Of the balancer; 0 for any that is free. */
  port: number
  processes: number
  /** Keeps the data. Null for a folder that is deleted at the end. */
  folder: string | null
  /** Ends everything that was started. */
  signal: AbortSignal
  log: (line: string) => void
}

export interface Cluster {
  /** The address of the balancer. */
  url: string
  processes: ClusterProcess[]
  databaseUrl: string
  redisUrl: string
  folder: string
}

export interface ClusterProcess {
  url: string
  /** Until it ends and is started again. */
  pid: number | undefined
}

/** Starts a cluster and resolves when all its processes are ready. Rejects, with everything ended, where one is not. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { host, signal, log } = options
  const endings: (() => unknown)[] = []
  const end = async (): Promise<void> => {
    for (const run of endings.splice(0).toReversed()) await run()
  }
  signal.addEventListener('abort', () => void end())
  try {
    const folder = openFolder(options.folder, endings)
    const postgres = await startPostgres({
      isDurable: options.folder !== null,
      folder: join(folder, 'postgres'),
      isDetached: true,
    })
    endings.push(() => postgres.stop())
    const redis = await startRedis(undefined, { isDetached: true })
    endings.push(() => redis.stop())
    const ports = await Promise.all(Array.from({ length: options.processes }, () => findFreePort()))
    const urls = ports.map((port) => `http://127.0.0.1:${port}`)
    const balancer = await startBalancer({ host, port: options.port, targets: urls })
    endings.push(() => balancer.close())
    const env = {
      LOG_LEVEL: 'warn',
      // The balancer asks every 500 ms.
      DRAIN_S: '1',
      ...process.env,
      PUBLIC_URL: process.env['PUBLIC_URL'] || listAddresses(host, balancer.port),
      HOST: '127.0.0.1',
      TRUST_PROXY: 'loopback',
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
    }
    const processes: ClusterProcess[] = []
    for (const [index, port] of ports.entries()) {
      const server = keepRunning({ ...env, PORT: String(port) }, (line) => log(`${index + 1} | ${line}`))
      endings.push(() => server.end())
      // One after the other: the first makes the tables and the secret.
      const url = `http://127.0.0.1:${port}`
      await waitUntilReady(url, signal)
      processes.push({ url, pid: server.pid })
    }
    await balancer.ready()
    return {
      url: `http://${host}:${balancer.port}`,
      processes,
      databaseUrl: postgres.url,
      redisUrl: redis.url,
      folder,
    }
  } catch (error) {
    await end()
    throw error
  }
}

/** A folder of nobody's name in the way of PostgreSQL, which runs as another account where this process is root. */
function openFolder(kept: string | null, endings: (() => unknown)[]): string {
  const folder = kept === null ? mkdtempSync(join(tmpdir(), 'earshot-cluster-')) : resolve(kept)
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o711)
  if (kept === null) endings.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Lists the addresses under which a browser of this machine may open the page. */
function listAddresses(host: string, port: number): string {
  const names = new Set(['127.0.0.1', 'localhost', ...(host === '0.0.0.0' ? [] : [host])])
  return [...names].map((name) => `http://${name}:${port}`).join(',')
}

interface KeptServer {
  /** Of the first process. */
  pid: number | undefined
  end(): Promise<void>
}

/** Runs a server, and starts it again when it ends, until `end` is called. */
function keepRunning(env: NodeJS.ProcessEnv, log: (line: string) => void): KeptServer {
  let isEnding = false
  let child = spawnServer(env, log)
  const supervise = async (): Promise<void> => {
    for (;;) {
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
      if (isEnding) return
      log(`ended with ${signal ?? `code ${code}`}; starting it again`)
      await delay(restartAfterMs)
      if (isEnding) return
      child = spawnServer(env, log)
      log(`runs again (pid ${child.pid})`)
    }
  }
  const supervised = supervise()
  return {
    pid: child.pid,
    async end() {
      isEnding = true
      child.kill('SIGTERM')
      await supervised
    },
  }
}

/** In a process group of its own, so that Ctrl+C in a terminal ends the parts in order. */
function spawnServer(env: NodeJS.ProcessEnv, log: (line: string) => void): ChildProcess {
  const child = spawn(process.execPath, [...nodeFlags, ...serverFlags, 'server/src/main.ts'], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.trimEnd().split('\n')) {
        if (!line.startsWith('Earshot is ready')) log(line)
      }
    })
  }
  return child
}

async function waitUntilReady(url: string, signal: AbortSignal): Promise<void> {
  const giveUpAt = performance.now() + readyWithinMs
  while (performance.now() < giveUpAt) {
    signal.throwIfAborted()
    const isReady = await fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isReady) return
    await delay(100)
  }
  throw new Error(`The process at ${url} was not ready within ${readyWithinMs / 1_000} s`)
}

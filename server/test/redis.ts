import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { findFreePort } from './free-port.ts'
import type { Engine } from './postgres.ts'

export interface RedisEngine extends Engine {
  /** For example SIGSTOP, after which it no longer answers, and SIGCONT. */
  signal(name: NodeJS.Signals): void
}

export interface RedisOptions {
  /** In a process group of its own: Ctrl+C in a terminal does not reach it. */
  isDetached?: boolean
  /** Further settings, or others. */
  settings?: Record<string, string | number>
}

const readyWithinMs = 15_000

/** Starts a Redis of its own, empty, on a port of the loopback address. Throws where Redis is not installed. */
export async function startRedis(
  askedPort?: number,
  { isDetached = false, settings = {} }: RedisOptions = {},
): Promise<RedisEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-redis-'))
  const port = askedPort ?? (await findFreePort())
  const child = spawn(
    'redis-server',
    toArguments({
      port,
      bind: '127.0.0.1',
      dir: folder,
      save: '',
      appendonly: 'no',
      databases: 1_000,
      ...settings,
    }),
    { stdio: 'ignore', detached: isDetached },
  )
  const url = `redis://127.0.0.1:${port}`
  const stop = async (): Promise<void> => {
    child.kill('SIGCONT')
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await waitUntilReady(url, child)
    return { url, stop, signal: (name) => void child.kill(name) }
  } catch (error) {
    await stop()
    throw error
  }
}

function toArguments(settings: Record<string, string | number>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  let failure: Error | null = null
  child.on('error', () => {
    failure = new Error('The tests need Redis. On Debian or Ubuntu: apt-get install redis-server')
  })
  const giveUpAt = performance.now() + readyWithinMs
  while (performance.now() < giveUpAt) {
    if (failure !== null) throw failure
    if (child.exitCode !== null) throw new Error(`Redis ended with code ${child.exitCode}`)
    if (await answers(url)) return
    await delay(20)
  }
  throw new Error(`Redis was not ready within ${readyWithinMs} ms`)
}

async function answers(url: string): Promise<boolean> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.ping()) === 'PONG'
  } catch {
    return false
  } finally {
    client.disconnect()
  }
}

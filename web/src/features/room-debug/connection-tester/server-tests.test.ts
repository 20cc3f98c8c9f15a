import { limits } from '@earshot/core/limits'
import { createConnectionRun } from '@earshot/core/testing/connection-run'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { HealthReport } from '../http-checks.ts'
import { findBestServer, measureServers, switchToServer } from './server-tests.tsx'

const report = (latencyMs: number, status = 200): HealthReport => ({ latencyMs, status, body: null })

describe('measuring servers', () => {
  it('2.38b takes the latency of the second request', async () => {
    const latencies = new Map([
      ['one', [90, 12]],
      ['two', [20, 15]],
    ])
    const measured = await measureServers(['one', 'two'], async (url) =>
      report(latencies.get(url)?.shift() ?? 0),
    )
    expect(measured).toEqual([
      { url: 'one', latencyMs: 12 },
      { url: 'two', latencyMs: 15 },
    ])
    expect(findBestServer(measured)).toBe(0)
  })

  it('2.38b skips servers that do not answer or are unhealthy', async () => {
    const answers: Record<string, HealthReport | null> = {
      unreachable: null,
      unhealthy: report(1, 503),
      healthy: report(40),
    }
    const measured = await measureServers(Object.keys(answers), async (url) => answers[url] ?? null)
    expect(measured.map(({ latencyMs }) => latencyMs)).toEqual([null, null, 40])
    expect(findBestServer(measured)).toBe(2)
  })

  it('finds none if none answers', () => {
    expect(findBestServer([])).toBeNull()
    expect(findBestServer([{ url: 'one', latencyMs: null }])).toBeNull()
  })
})

describe('switching', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  /** The real state machine on a simulated network. */
  function connect() {
    const run = createConnectionRun()
    const watchers = new Set<() => void>()
    const notifyWatchers = () => watchers.forEach((watcher) => watcher())
    run.send({ type: 'start', inactiveSinceMs: null })
    run.send({ type: 'connected' })
    return {
      run,
      notifyWatchers,
      watchers,
      state: () => run.state,
      switchServer: (serverIndex: number) => run.send({ type: 'switch_server', serverIndex }),
      watch(watcher: () => void) {
        watchers.add(watcher)
        return () => watchers.delete(watcher)
      },
    }
  }

  it('2.38b, 8.16b succeeds when the connection to that server is established', async () => {
    const connection = connect()
    const switched = switchToServer(connection, 1)
    expect(connection.run.opened().at(-1)?.url).toBe('https://two.example')
    connection.notifyWatchers()
    connection.run.send({ type: 'connected' })
    connection.notifyWatchers()
    expect(await switched).toBe(true)
    expect(connection.watchers.size).toBe(0)
  })

  it('8.16a fails after 7 s', async () => {
    const connection = connect()
    const switched = switchToServer(connection, 1)
    await vi.advanceTimersByTimeAsync(limits.connectTimeoutMs)
    expect(await switched).toBe(false)
    expect(connection.watchers.size).toBe(0)
  })
})

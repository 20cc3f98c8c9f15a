import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createConnectionRun, servers, start } from '../testing/connection-run.ts'
import type { ConnectionEvent } from './connection.ts'
import { earliest } from './deadlines.ts'

describe('the quality of a connection', () => {
  const connected = (list = servers) => {
    const run = createConnectionRun(list)
    run.send(start)
    run.send({ type: 'connected' })
    return run
  }
  const measure = (run: ReturnType<typeof createConnectionRun>, ...latencies: (number | null)[]): void => {
    for (const rttMs of latencies) run.send({ type: 'latency', rttMs })
  }

  it('4.5, 9.17d is poor above 300 ms', () => {
    const run = connected()
    measure(run, 300)
    expect(run.state.isPoor).toBe(false)
    measure(run, 301)
    expect(run.state.isPoor).toBe(true)
    measure(run, 40)
    expect(run.state.isPoor).toBe(false)
  })

  it('4.5, 9.17d switches to the next server at the check every 30 s if 5 pings average over 1 s', () => {
    const run = connected()
    measure(run, 20, 1_100, 1_100, 1_100, 1_100, 1_100)
    run.pass(29_999)
    expect(run.state).toMatchObject({ status: 'connected', serverIndex: 0 })
    run.pass(1)
    expect(run.state).toMatchObject({ status: 'connecting', serverIndex: 1 })
    expect(run.opened().at(-1)?.url).toBe('https://two.example')
  })

  it('4.5, 9.17d switches only with at least 3 pings', () => {
    const run = connected()
    measure(run, 2_000, 2_000)
    run.pass(30_000)
    expect(run.state.serverIndex).toBe(0)
    measure(run, 2_000)
    run.pass(30_000)
    expect(run.state.serverIndex).toBe(1)
  })

  it('4.5, 9.17d does not switch at an average of exactly 1 s', () => {
    const run = connected()
    measure(run, 1_000, 1_000, 1_000)
    run.pass(90_000)
    expect(run.state).toMatchObject({ status: 'connected', serverIndex: 0 })
    measure(run, 1_000, 1_001)
    run.pass(30_000)
    expect(run.state.serverIndex).toBe(1)
  })

  it('4.5, 9.17d averages the last 5 pings', () => {
    const forgotten = connected()
    measure(forgotten, 6_000, 0, 0, 0, 0, 0)
    forgotten.pass(30_000)
    expect(forgotten.state.serverIndex).toBe(0)
    const remembered = connected()
    measure(remembered, 6_000, 0, 0, 0, 0)
    remembered.pass(30_000)
    expect(remembered.state.serverIndex).toBe(1)
  })

  it('9.17d counts an unanswered ping with the ping timeout of 3 s', () => {
    const run = connected()
    measure(run, null)
    expect(run.state.latenciesMs).toEqual([3_000])
    measure(run, 20, 30)
    run.pass(30_000)
    expect(run.state.serverIndex).toBe(1)
  })

  it('4.5 never leaves the only server', () => {
    const run = connected(['https://one.example'])
    measure(run, 5_000, 5_000, 5_000)
    run.pass(120_000)
    expect(run.opened()).toHaveLength(1)
    expect(run.state.status).toBe('connected')
  })
})

describe('a page that was inactive', () => {
  it('4.6b connects after 1 s if its mark is under 5 min old', () => {
    const run = createConnectionRun()
    run.send({ type: 'start', inactiveSinceMs: run.nowMs - 299_999 })
    expect(run.state.status).toBe('connecting')
    run.pass(999)
    expect(run.opened()).toHaveLength(0)
    run.pass(1)
    expect(run.opened()).toHaveLength(1)
  })

  it.each([300_000, -1])('4.6b, 9.17d connects at once if its mark is %d ms old', (ageMs) => {
    const run = createConnectionRun()
    run.send({ type: 'start', inactiveSinceMs: run.nowMs - ageMs })
    expect(run.opened()).toHaveLength(1)
  })

  it('4.6b stores a mark when it is hidden, and clears it when it is visible again', () => {
    const run = createConnectionRun()
    run.send({ type: 'hidden' })
    expect(run.effects.at(-1)).toMatchObject({ type: 'mark_inactive', atMs: run.nowMs })
    run.send({ type: 'visible' })
    expect(run.effects.at(-1)?.type).toBe('clear_inactive_mark')
  })
})

describe('a connection after any events', () => {
  const events: fc.Arbitrary<ConnectionEvent> = fc.oneof(
    fc.constantFrom<ConnectionEvent>(
      start,
      { type: 'connected' },
      { type: 'disconnected' },
      { type: 'failed' },
      { type: 'due' },
      { type: 'force_reconnect' },
      { type: 'switch_server', serverIndex: 1 },
      { type: 'hidden' },
      { type: 'visible' },
      { type: 'online' },
      { type: 'latency', rttMs: 2_000 },
    ),
  )

  it('always has a next deadline while it is not connected', () => {
    const waits = fc.integer({ min: 0, max: 9_000 })
    fc.assert(
      fc.property(fc.array(fc.tuple(events, waits), { maxLength: 40 }), (history) => {
        const run = createConnectionRun()
        run.send(start)
        for (const [event, waitMs] of history) {
          run.send(event)
          run.pass(waitMs)
          expect(run.state.status === 'connected' || earliest(run.state.deadlines) !== null).toBe(true)
        }
        run.send({ type: 'stop' })
        expect(earliest(run.state.deadlines)).toBeNull()
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createConnectionRun, servers, start } from '../testing/connection-run.ts'
import { type ConnectionEvent, nextDeadline } from './connection-state.ts'

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

  it('4.5, 9.17d sends it to the next server at the check, every 30 s, when 5 pings take over 1 s on average', () => {
    const run = connected()
    measure(run, 20, 1_100, 1_100, 1_100, 1_100, 1_100)
    run.pass(29_999)
    expect(run.state).toMatchObject({ status: 'connected', serverIndex: 0 })
    run.pass(1)
    expect(run.state).toMatchObject({ status: 'connecting', serverIndex: 1 })
    expect(run.opened().at(-1)?.url).toBe('https://two.example')
  })

  it('4.5, 9.17d needs 3 pings for that', () => {
    const run = connected()
    measure(run, 2_000, 2_000)
    run.pass(30_000)
    expect(run.state.serverIndex).toBe(0)
    measure(run, 2_000)
    run.pass(30_000)
    expect(run.state.serverIndex).toBe(1)
  })

  it('4.5, 9.17d is good enough at an average of 1 s, and not above', () => {
    const run = connected()
    measure(run, 1_000, 1_000, 1_000)
    run.pass(90_000)
    expect(run.state).toMatchObject({ status: 'connected', serverIndex: 0 })
    measure(run, 1_000, 1_001)
    run.pass(30_000)
    expect(run.state.serverIndex).toBe(1)
  })

  it('4.5, 9.17d goes by the last 5 pings, and by no fewer', () => {
    const forgotten = connected()
    measure(forgotten, 6_000, 0, 0, 0, 0, 0)
    forgotten.pass(30_000)
    expect(forgotten.state.serverIndex).toBe(0)
    const remembered = connected()
    measure(remembered, 6_000, 0, 0, 0, 0)
    remembered.pass(30_000)
    expect(remembered.state.serverIndex).toBe(1)
  })

  it('9.17d counts a ping without an answer as the 3 s that it was waited for', () => {
    const run = connected()
    measure(run, null)
    expect(run.state.latenciesMs).toEqual([3_000])
    measure(run, 20, 30)
    run.pass(30_000)
    expect(run.state.serverIndex).toBe(1)
  })

  it('4.5 does not give up the only server', () => {
    const run = connected(['https://one.example'])
    measure(run, 5_000, 5_000, 5_000)
    run.pass(120_000)
    expect(run.opened()).toHaveLength(1)
    expect(run.state.status).toBe('connected')
  })
})

describe('a page that was inactive', () => {
  it('4.6b connects after 1 s where its mark is under 5 min old', () => {
    const run = createConnectionRun()
    run.send({ type: 'start', inactiveSinceMs: run.nowMs - 299_999 })
    expect(run.state.status).toBe('connecting')
    run.pass(999)
    expect(run.opened()).toHaveLength(0)
    run.pass(1)
    expect(run.opened()).toHaveLength(1)
  })

  it.each([300_000, -1])('4.6b, 9.17d connects at once where it is %d ms old', (ageMs) => {
    const run = createConnectionRun()
    run.send({ type: 'start', inactiveSinceMs: run.nowMs - ageMs })
    expect(run.opened()).toHaveLength(1)
  })

  it('4.6b leaves a mark when it is hidden, and takes it away when it is seen again', () => {
    const run = createConnectionRun()
    run.send({ type: 'hidden' })
    expect(run.effects.at(-1)).toMatchObject({ type: 'mark_inactive', atMs: run.nowMs })
    run.send({ type: 'visible' })
    expect(run.effects.at(-1)?.type).toBe('clear_inactive_mark')
  })
})

describe('a connection to which anything happens', () => {
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

  it('never comes to rest without a connection, once it was started', () => {
    const waits = fc.integer({ min: 0, max: 9_000 })
    fc.assert(
      fc.property(fc.array(fc.tuple(events, waits), { maxLength: 40 }), (history) => {
        const run = createConnectionRun()
        run.send(start)
        for (const [event, waitMs] of history) {
          run.send(event)
          run.pass(waitMs)
          expect(run.state.status === 'connected' || nextDeadline(run.state) !== null).toBe(true)
        }
        run.send({ type: 'stop' })
        expect(nextDeadline(run.state)).toBeNull()
      }),
    )
  })
})

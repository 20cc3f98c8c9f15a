import { describe, expect, it } from 'vitest'
import { createConnectionRun, start } from '../testing/connection-run.ts'
import { createConnection } from './connection.ts'
import { earliest } from './deadlines.ts'

describe('a connection', () => {
  it('3.13b, 4.2a, 7.23d goes from disconnected to connecting to connected', () => {
    const run = createConnectionRun()
    expect(run.state.status).toBe('disconnected')
    run.send(start)
    expect(run.state.status).toBe('connecting')
    expect(run.opened()).toEqual([
      {
        type: 'open',
        url: 'https://one.example',
        transports: ['websocket', 'polling'],
        atMs: run.nowMs,
      },
    ])
    run.send({ type: 'connected' })
    expect(run.state.status).toBe('connected')
  })

  it('4.2b, 9.17a is disconnected when it drops, and reopened after 1 s', () => {
    const run = createConnectionRun()
    run.send(start)
    run.send({ type: 'connected' })
    run.send({ type: 'disconnected' })
    expect(run.state.status).toBe('disconnected')
    expect(earliest(run.state.deadlines)).toBe(run.nowMs + 1_000)
    run.pass(1_000)
    expect(run.state.status).toBe('connecting')
    expect(run.opened()).toHaveLength(2)
  })

  it('17.467 is reopened at once, by the same transport, when no ping came for too long', () => {
    const run = createConnectionRun()
    run.send(start)
    run.send({ type: 'failed' })
    run.pass(1_000)
    run.send({ type: 'connected' })
    run.send({ type: 'expired' })
    expect(run.state.status).toBe('connecting')
    expect(run.opened().map(({ transports }) => transports[0])).toEqual(['websocket', 'polling', 'polling'])
    run.send({ type: 'failed' })
    expect(earliest(run.state.deadlines)).toBe(run.nowMs + 1_000)
    run.send({ type: 'expired' })
    expect(run.opened()).toHaveLength(3)
  })

  it('4.2b is disconnected after an error, and reopened after 1 s', () => {
    const run = createConnectionRun()
    run.send(start)
    run.send({ type: 'failed' })
    expect(run.state).toMatchObject({ status: 'disconnected', failedAttempts: 1 })
    expect(earliest(run.state.deadlines)).toBe(run.nowMs + 1_000)
  })

  it('4.3a, 9.17c fails an attempt after 7 s', () => {
    const run = createConnectionRun()
    run.send(start)
    run.pass(6_999)
    expect(run.state).toMatchObject({ status: 'connecting', failedAttempts: 0 })
    run.pass(1)
    expect(run.state).toMatchObject({ status: 'disconnected', failedAttempts: 1 })
    expect(run.effects.at(-1)).toMatchObject({ type: 'close' })
  })

  it('4.4 falls back to the other transport on the first error, and keeps it', () => {
    const run = createConnectionRun(['https://one.example'])
    run.send(start)
    for (let attempt = 0; attempt < 4; attempt++) {
      run.send({ type: 'failed' })
      run.pass(1_000)
    }
    expect(run.opened().map(({ transports }) => transports[0])).toEqual([
      'websocket',
      'polling',
      'polling',
      'polling',
      'polling',
    ])
  })

  it('keeps a working transport when it drops', () => {
    const run = createConnectionRun()
    run.send(start)
    run.send({ type: 'failed' })
    run.pass(1_000)
    run.send({ type: 'connected' })
    run.send({ type: 'disconnected' })
    run.pass(1_000)
    expect(run.opened().at(-1)?.transports).toEqual(['polling', 'websocket'])
  })

  it('4.3b, 9.17c tries the next server after 5 failed attempts', () => {
    const run = createConnectionRun()
    run.send(start)
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(run.opened().at(-1)?.url).toBe('https://one.example')
      run.send({ type: 'failed' })
      run.pass(1_000)
    }
    expect(run.opened().at(-1)).toMatchObject({
      url: 'https://two.example',
      transports: ['websocket', 'polling'],
    })
  })

  it('4.3b is disabled when no server remains, with a reason', () => {
    const run = createConnectionRun()
    run.send(start)
    for (let attempt = 0; attempt < 10; attempt++) {
      expect(run.state.status).not.toBe('disabled')
      run.send({ type: 'failed' })
      if (attempt < 9) run.pass(1_000)
    }
    expect(run.state).toMatchObject({ status: 'disabled', reason: 'max_reconnect_attempts_reached' })
    expect(run.opened()).toHaveLength(10)
  })

  it('4.3b tries every server again after a successful connection', () => {
    const run = createConnectionRun()
    run.send(start)
    for (let attempt = 0; attempt < 9; attempt++) {
      run.send({ type: 'failed' })
      run.pass(1_000)
    }
    run.send({ type: 'connected' })
    expect(run.state).toMatchObject({ failedAttempts: 0, serversGivenUp: 0, serverIndex: 1 })
  })

  it('9.17c skips addresses that are not HTTP, and is disabled without any other', () => {
    expect(createConnection(['ftp://x.example', 'HTTPS://one.example', 'socket']).servers).toEqual([
      'HTTPS://one.example',
    ])
    const run = createConnectionRun(['mailto:ann'])
    run.send(start)
    expect(run.state).toMatchObject({ status: 'disabled', reason: 'max_reconnect_attempts_reached' })
    expect(earliest(run.state.deadlines)).toBeNull()
  })
})

describe('a disabled connection', () => {
  const disabled = () => {
    const run = createConnectionRun(['https://one.example'])
    run.send(start)
    for (let attempt = 0; attempt < 5; attempt++) {
      run.send({ type: 'failed' })
      if (attempt < 4) run.pass(1_000)
    }
    return run
  }

  it('stays disabled while it retries at intervals', () => {
    const run = disabled()
    const before = run.opened().length
    run.pass(4_999)
    expect(run.opened()).toHaveLength(before)
    run.pass(1)
    expect(run.opened()).toHaveLength(before + 1)
    expect(run.state.status).toBe('disabled')
    run.send({ type: 'failed' })
    expect(run.state.status).toBe('disabled')
    run.pass(5_000)
    const transports = run
      .opened()
      .slice(before)
      .map((opened) => opened.transports[0])
    expect(new Set(transports)).toEqual(new Set(['websocket', 'polling']))
    run.send({ type: 'connected' })
    expect(run.state).toMatchObject({ status: 'connected', reason: null })
  })

  it.each(['visible', 'online'] as const)('is reopened at once when %s', (type) => {
    const run = disabled()
    const before = run.opened().length
    run.send({ type })
    expect(run.opened()).toHaveLength(before + 1)
    expect(run.state.status).toBe('connecting')
  })
})

describe('a forced reconnect', () => {
  it('4.3c resets everything and opens after 0.5 s', () => {
    const run = createConnectionRun()
    run.send(start)
    for (let attempt = 0; attempt < 7; attempt++) {
      run.send({ type: 'failed' })
      run.pass(1_000)
    }
    const before = run.opened().length
    run.send({ type: 'force_reconnect' })
    expect(run.effects.at(-1)?.type).toBe('close')
    expect(run.state).toMatchObject({ failedAttempts: 0, serverIndex: 0, serversGivenUp: 0 })
    run.pass(499)
    expect(run.opened()).toHaveLength(before)
    run.pass(1)
    expect(run.opened().at(-1)).toMatchObject({
      url: 'https://one.example',
      transports: ['websocket', 'polling'],
    })
  })

  it('4.3c falls back to the next server if it has not connected after 5 s', () => {
    const run = createConnectionRun()
    run.send({ type: 'force_reconnect' })
    run.pass(4_999)
    expect(run.opened()).toHaveLength(1)
    run.pass(1)
    expect(run.opened().at(-1)?.url).toBe('https://two.example')
  })

  it('4.3c falls back to the other transport if there is no other server', () => {
    const run = createConnectionRun(['https://one.example'])
    run.send({ type: 'force_reconnect' })
    run.pass(5_000)
    expect(run.opened().map(({ transports }) => transports[0])).toEqual(['websocket', 'polling'])
  })

  it('4.3c does not fall back once it has connected', () => {
    const run = createConnectionRun()
    run.send({ type: 'force_reconnect' })
    run.pass(600)
    run.send({ type: 'connected' })
    run.pass(60_000)
    expect(run.opened()).toHaveLength(1)
    expect(run.state.status).toBe('connected')
  })

  it('4.3c restarts a disabled connection', () => {
    const run = createConnectionRun(['https://one.example'])
    run.send(start)
    for (let attempt = 0; attempt < 5; attempt++) {
      run.send({ type: 'failed' })
      run.pass(1_000)
    }
    run.send({ type: 'force_reconnect' })
    run.pass(500)
    run.send({ type: 'connected' })
    expect(run.state).toMatchObject({ status: 'connected', reason: null })
  })
})

import { Writable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { checkPayloadSize, logIdentityMismatch } from './payload-checks.ts'

describe('checkPayloadSize', () => {
  it('accepts an ordinary payload', () => {
    const payload = { roomId: 'r', state: { current_position: 1, nested: [{ a: null }] } }
    expect(() => checkPayloadSize(payload, 1_000)).not.toThrow()
    expect(() => checkPayloadSize(undefined, 1_000)).not.toThrow()
  })

  it('refuses payloads that are too large, in texts, names, values or bytes', () => {
    const large = [
      { text: 'x'.repeat(1_001) },
      { ['x'.repeat(1_001)]: 1 },
      Array.from({ length: 501 }, () => 0),
      Buffer.alloc(1_001),
    ]
    for (const payload of large) {
      expect(() => checkPayloadSize(payload, 1_000)).toThrow(
        expect.objectContaining({ code: 'payload_too_large' }),
      )
    }
  })

  it('does not overflow the stack on deep nesting', () => {
    let nested: unknown = 'core'
    for (let level = 0; level < 100_000; level++) nested = [nested]
    expect(() => checkPayloadSize(nested, 1_000_000)).not.toThrow()
  })
})

function listen(level: string) {
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { lines, logger: pino({ level }, sink) }
}

describe('logIdentityMismatch', () => {
  it('7.3 logs an event that names another user, with nothing but the id of its sender', () => {
    const { lines, logger } = listen('debug')
    const strangers = [
      { user: { id: 'ben', secret: 'x' } },
      { user: 'ben' },
      { state: { sender_id: 'ben' } },
      { added_by: 'ben' },
    ]
    for (const payload of strangers) logIdentityMismatch(logger, payload, 'ann')
    expect(lines).toHaveLength(strangers.length)
    expect(lines.join()).not.toMatch(/ben|secret/)
  })

  it('logs nothing if the event names its sender or nobody, or debug logs are off', () => {
    const { lines, logger } = listen('debug')
    for (const payload of [
      { user: { id: 'ann' } },
      { user: null },
      {},
      null,
      undefined,
      'ben',
      { state: 7 },
    ]) {
      logIdentityMismatch(logger, payload, 'ann')
    }
    const quiet = listen('info')
    logIdentityMismatch(quiet.logger, { user: 'ben' }, 'ann')
    expect([...lines, ...quiet.lines]).toEqual([])
  })
})

import { Writable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { logIdentityMismatch } from './identity.ts'

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
  it('7.3 notes an event that names somebody else, and says no more than whose event it was', () => {
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

  it('is silent where the event names its sender, or nobody, or nothing listens', () => {
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

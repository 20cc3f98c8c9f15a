import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createMismatchLog } from './identity-mismatch.ts'

function listen() {
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { lines, log: createMismatchLog(pino(sink)) }
}

it('7.3 a payload that names another user is logged once for each user, with nothing but the id of its sender', () => {
  const strangers = [
    { user: { id: 'ben', secret: 'x' } },
    { user: 'ben' },
    { state: { sender_id: 'ben' } },
    { added_by: 'ben' },
    { p_user_id: 'ben' },
  ]
  const { lines, log } = listen()
  for (const [index, payload] of strangers.entries()) {
    log(payload, `ann${index}`)
    log(payload, `ann${index}`)
  }
  expect(lines).toHaveLength(strangers.length)
  expect(lines.join()).not.toMatch(/ben|secret/)
})

it('7.3 a payload that names its sender or nobody is not logged', () => {
  const { lines, log } = listen()
  for (const payload of [{ user: { id: 'ann' } }, { user: null }, {}, null, undefined, 'ben', { state: 7 }])
    log(payload, 'ann')
  expect(lines).toEqual([])
})

it('7.3 users without number do not fill the log', () => {
  const { lines, log } = listen()
  for (let index = 0; index < 1_000; index += 1) log({ user: 'ben' }, `u${index}`)
  expect(lines.length).toBeLessThanOrEqual(100)
})

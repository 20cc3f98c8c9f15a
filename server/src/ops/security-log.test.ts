import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { captureLog } from '../../test/log.ts'
import { createSecurityLog } from './security-log.ts'

it('16.32 the documented filter of fail2ban matches the lines of those who misbehave, and no others', async () => {
  const { logger, lines } = captureLog()
  const log = createSecurityLog(logger)
  log.record('sign_in_failed', { address: '192.0.2.7' })
  log.record('limit_reached', { address: '2001:db8::7', at: '/api/rooms' })
  log.record('admin_action', { address: '192.0.2.8', userId: 'u1', action: 'delete_room', target: 'r1' })
  log.record('account_created', { address: '192.0.2.9', userId: 'u2' })
  await vi.waitFor(() => expect(lines).toHaveLength(4))

  const manual = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', 'operating.md'), 'utf8')
  const filter = new RegExp(
    (/^failregex = (.*)$/m.exec(manual)?.[1] ?? 'missing').replace('<ADDR>', '([0-9a-f.:]+)'),
  )
  const addresses = lines.map((line) => filter.exec(JSON.stringify(line))?.[1])
  expect(addresses).toEqual(['192.0.2.7', '2001:db8::7', undefined, undefined])
})

it('16.32 a flood of one address fills no log, and hides neither others nor administrators', async () => {
  const { logger, lines } = captureLog()
  const log = createSecurityLog(logger)
  for (let count = 0; count < 5_000; count += 1) log.record('limit_reached', { address: '192.0.2.7' })
  log.record('limit_reached', { address: '192.0.2.8' })
  for (let count = 0; count < 30; count += 1) log.record('admin_action', { address: '192.0.2.7' })
  await vi.waitFor(() => expect(lines).toHaveLength(20 + 1 + 30))
  expect(lines.filter((line) => line['address'] === '192.0.2.8')).toHaveLength(1)
})

it('16.263 a flood of one kind from many addresses hides no event of another kind, and is told by its number', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { logger, lines } = captureLog()
  const log = createSecurityLog(logger)
  for (let host = 0; host < 700; host += 1)
    log.record('origin_refused', { address: `198.51.${100 + Math.floor(host / 250)}.${host % 250}` })
  log.record('sign_in_failed', { address: '192.0.2.7' })
  await vi.waitFor(() => expect(lines).toHaveLength(600 + 1))
  expect(lines.at(-1)).toMatchObject({ security: 'sign_in_failed' })
  vi.advanceTimersByTime(60_000)
  log.record('sign_in_failed', { address: '192.0.2.7' })
  await vi.waitFor(() => expect(lines).toHaveLength(600 + 3))
  expect(lines.at(-2)).toMatchObject({ origin_refused: 100 })
})

it('16.262 an owner adds at most 60 removals a minute, whatever their addresses', async () => {
  const { logger, lines } = captureLog()
  const log = createSecurityLog(logger)
  for (let count = 0; count < 200; count += 1)
    log.record('kicked', { address: `192.0.2.${count}`, userId: 'owner', target: 'ann', at: 'room' })
  log.record('kicked', { address: '192.0.2.1', userId: 'another', target: 'ann', at: 'room' })
  await vi.waitFor(() => expect(lines).toHaveLength(60 + 1))
})

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
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

import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { describe, expect, it } from 'vitest'
import { enterAsGuest, startApp, signUp, type TestUser } from '../../test/apps.ts'
import { ask, codeOf } from '../../test/ask.ts'
import { describeDatabases } from '../../test/databases.ts'
import { captureLog } from '../../test/log.ts'
import { hasAdmin, writeAdmin } from '../db/users.ts'
import { claimAdmin, createAdminCode } from './admin-code.ts'
import { serverLimits } from '../server-limits.ts'
import { otherRates } from '../limits/rates.ts'

describe('the first administrator', () => {
  it('16.35 is who enters the code that the start prints, not who comes first', async () => {
    const { logger, lines } = captureLog()
    const app = await startApp({ logger })
    const stranger = await signUp(app, 'stranger')
    const code = String(lines.find((line) => 'code' in line)?.['code'])
    expect(code).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){2}$/)
    expect(await app.call(stranger, 'GET', '/api/admin/status')).toEqual({
      isAdmin: false,
      isCodeAwaited: true,
    })
    const claim = (user: TestUser | null, text: string) =>
      app.call(user, 'POST', '/api/admin/claim', { code: text })
    await expect(claim(null, code)).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(claim(stranger, 'AAAA-BBBB-CCCC')).rejects.toMatchObject({ code: 'wrong_code' })

    const ann = await signUp(app, 'ann')
    await claim(ann, ` ${code.toLowerCase().replaceAll('-', ' ')} `)
    expect(await app.call(ann, 'GET', '/api/admin/status')).toEqual({ isAdmin: true, isCodeAwaited: false })
    await expect(claim(stranger, code)).rejects.toMatchObject({ code: 'wrong_code' })
    expect(lines).toContainEqual(expect.objectContaining({ security: 'admin_action', action: 'claim_admin' }))
    expect(lines).toContainEqual(expect.objectContaining({ security: 'code_refused', address: '127.0.0.1' }))
  })

  it('16.35 guessing stops after a few tries, for a user and for an address', async () => {
    const app = await startApp()
    const guess = async (user: TestUser) => {
      const answer = await ask(`${app.address}/api/admin/claim`, {
        method: 'POST',
        headers: { origin: app.address, cookie: user.cookie },
        body: { code: 'AAAA-BBBB-CCCC' },
      })
      return codeOf(answer)
    }
    const [ann, bob] = [await signUp(app, 'ann'), await signUp(app, 'bob')]
    for (let count = 0; count < otherRates.adminCode.points; count += 1) {
      expect(await guess(ann)).toBe('wrong_code')
    }
    expect(await guess(ann)).toBe('rate_limited')
    expect(await guess(bob)).toBe('rate_limited')
  })

  it('15.80 guests become no administrators: who loses their session would leave a server that nobody can run', async () => {
    const { logger, lines } = captureLog()
    const app = await startApp({ logger })
    const code = String(lines.find((line) => 'code' in line)?.['code'])
    const guest = await enterAsGuest(app, 'Gus')
    await expect(app.call(guest, 'POST', '/api/admin/claim', { code })).rejects.toMatchObject({
      code: 'account_required',
    })
    const ann = await signUp(app, 'ann')
    await app.call(ann, 'POST', '/api/admin/claim', { code })
    await expect(
      app.call(ann, 'PATCH', `/api/admin/users/${guest.id}`, { isAdmin: true }),
    ).rejects.toMatchObject({ code: 'account_required' })
    expect(await hasAdmin(app.db, ann.id)).toBe(false)
  })

  it('16.35 with an administrator, a start prints no code', async () => {
    const first = await startApp()
    await writeAdmin(first.db, (await signUp(first, 'root')).id, true)
    expect(await createAdminCode({ db: first.db, clock: createFakeClock() })).toBeNull()
  })
})

describeDatabases('the code of the first administrator', (open) => {
  it('16.35 is stored as a hash, expires, and ends after too many wrong ones', async () => {
    const parts = { db: await open(), clock: createFakeClock() }
    const code = (await createAdminCode(parts)) ?? ''
    const stored = JSON.stringify(await parts.db.selectFrom('admin_codes').selectAll().execute())
    expect(stored).not.toContain(code)
    expect(stored).not.toContain(code.replaceAll('-', ''))
    parts.clock.advance(serverLimits.adminCodeMs + 1)
    expect(await claimAdmin(parts, 'u1', code)).toBe(false)

    const second = (await createAdminCode(parts)) ?? ''
    for (let count = 0; count < serverLimits.adminCodeAttempts; count += 1)
      await claimAdmin(parts, 'u1', 'wrong')
    expect(await claimAdmin(parts, 'u1', second)).toBe(false)
    expect(await hasAdmin(parts.db)).toBe(false)
  })
})

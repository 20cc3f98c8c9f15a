import { randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { startApp, type TestApp } from '../../test/apps.ts'
import { type Answer, ask, cookiesOf } from '../../test/ask.ts'
import { captureLog } from '../../test/log.ts'
import { linkIn, mailTo, startMailServer } from '../../test/mail-server.ts'
import { serverLimits } from '../server-limits.ts'

const password = 'correct horse'
const makeEmail = () => `ann@${randomUUID()}.example`

const post = (app: TestApp, path: string, body: object, cookie = ''): Promise<Answer> =>
  ask(`${app.address}/api/auth${path}`, { method: 'POST', headers: { origin: app.address, cookie }, body })

/** Starts a server that sends mails. `countRefused` resolves to how many it did not send, once there are some. */
async function startMailing() {
  const { url, mails } = await startMailServer()
  const { logger, lines } = captureLog()
  const app = await startApp({ logger, variables: { SMTP_URL: url, SIGN_UPS_PER_HOUR: '100' } })
  const refused = () => lines.filter(({ msg }) => String(msg).startsWith('Too many mails')).length
  const counted = (sent: number, unsent: number, address: string) =>
    vi.waitFor(() => {
      expect(refused()).toBe(unsent)
      expect(mails.filter((mail) => mail.includes(`To: ${address}`))).toHaveLength(sent)
    })
  return { app, mails, counted }
}

it('16.190 confirmation mails to one address are limited, whichever way they are asked for', async () => {
  const { app, counted } = await startMailing()
  const email = makeEmail()
  expect((await post(app, '/sign-up/email', { email, password })).status).toBe(200)
  for (let count = 0; count < 3; count += 1) {
    expect((await post(app, '/send-verification-email', { email })).status).toBe(200)
    expect((await post(app, '/sign-in/email', { email, password })).status).toBe(403)
  }
  await counted(serverLimits.mailsPerHour, 2, email)
})

it('16.190 an account sends the mails of a change of email to few addresses, and an address gets few of them', async () => {
  const { app, mails, counted } = await startMailing()
  const signUp = async () => {
    const email = makeEmail()
    const cookie = cookiesOf(await post(app, '/sign-up/email', { email, password }))
    return cookiesOf(await ask(linkIn(await mailTo(mails, email)), { headers: { cookie } }))
  }
  const victim = makeEmail()
  const [ann, bob] = [await signUp(), await signUp()]
  for (const cookie of [ann, bob]) {
    for (let count = 0; count < 3; count += 1) {
      expect((await post(app, '/change-email', { newEmail: victim, password }, cookie)).status).toBe(200)
    }
  }
  await counted(serverLimits.mailsPerHour, 1, victim)

  const addresses = Array.from({ length: serverLimits.mailsPerHour }, makeEmail)
  for (const newEmail of addresses) await post(app, '/change-email', { newEmail, password }, ann)
  await vi.waitFor(() =>
    expect(mails.filter((mail) => addresses.some((each) => mail.includes(`To: ${each}`)))).toHaveLength(
      serverLimits.mailsPerHour - 3,
    ),
  )
  await counted(serverLimits.mailsPerHour, 1 + 3, victim)
})

import { openMailDouble, linkIn, type MailDouble } from '../../server/test/mail-double.ts'
import { makeAccount } from '../support/accounts.ts'
import { startApp, type App } from '../support/app.ts'
import { expect, hideSplash, openPerson, test } from '../support/fixtures.ts'
import { createRoom } from '../support/rooms.ts'

let mailServer: MailDouble
let app: App

test.beforeAll(async () => {
  mailServer = await openMailDouble()
  app = await startApp({ env: { SMTP_URL: mailServer.url } })
})
test.afterAll(async () => {
  await app.stop()
  mailServer.close()
})

test('16.179 who creates an account at the door of a room is in it once the mailed link is opened', async ({
  browser,
}) => {
  const owner = await openPerson(browser, app, 'olivia')
  const room = { name: 'Cellar', isPublic: false, password: 'open sesame' }
  const id = await createRoom(app, owner.context, room)
  const headers = { origin: app.url }
  const answer = await owner.context.request.post(`${app.url}/api/rooms/${id}/invites`, { headers })
  const { token } = (await answer.json()) as { token: string }
  await owner.context.close()

  const friend = await browser.newContext({ baseURL: app.url })
  await hideSplash(friend)
  const page = await friend.newPage()
  await page.goto(`/room/${id}#invite=${token}`)
  await page.getByRole('link', { name: 'Create account' }).click()
  const { email, password } = makeAccount('frida')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByText('Please check your email to confirm your account')).toBeVisible()
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: /not confirmed yet.*latest mail/ })).toBeVisible()

  await expect.poll(() => mailServer.mails.length).toBe(2)
  for (const mail of mailServer.mails) expect(mail).not.toContain(token)
  const opened = await friend.newPage()
  await opened.goto(linkIn(mailServer.mails[1]))
  await expect(opened.getByText('Your account is confirmed')).toBeVisible()
  await expect(opened.getByText(/^Welcome, frida/)).toBeVisible()
  await expect(opened.getByRole('heading', { name: 'Cellar', exact: true })).toBeVisible()
  await friend.close()
})

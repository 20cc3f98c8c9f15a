import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeAccount, signUp } from '../support/accounts.ts'
import type { App } from '../support/app.ts'
import { expect, test } from '../support/fixtures.ts'

/** Returns the address in the mail to this account; undefined before it arrives. */
async function findLink(app: App, email: string): Promise<string | undefined> {
  const folder = join(app.dataDir, 'outbox')
  const names = await readdir(folder).catch(() => [])
  const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  const mail = mails.find((text) => text.includes(`To: ${email}`) && text.includes('Set a new password'))
  return mail && /http\S+\/reset-password#\S+/.exec(mail.replace(/=\r?\n/g, ''))?.[0]
}

test('16.20, 16.21 a forgotten password is replaced by the mailed link', async ({ app, page, context }) => {
  const person = makeAccount('hedy')
  await signUp(app, context, person)
  await context.clearCookies()
  await page.goto('/login')
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByRole('button', { name: 'Send Link' }).click()
  await expect(page.getByText('If there is an account with this address, we have sent a link.')).toBeVisible()
  await expect.poll(() => findLink(app, person.email)).toBeDefined()

  await page.goto((await findLink(app, person.email)) ?? '')
  await page.getByLabel('New Password').fill('battery staple')
  await page.getByRole('button', { name: 'Set Password' }).click()
  await expect(page.getByText('Your password has been changed')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill('battery staple')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByText(/^Welcome, hedy/)).toBeVisible()
})

import type { BrowserContext, Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { insertSession } from '../../server/test/sign-in.ts'
import type { App } from './app.ts'

export interface Account {
  name: string
  email: string
  password: string
}

let accountsMade = 0

/** Makes up an account with a unique address. It is not registered yet. */
export function makeAccount(name: string): Account {
  accountsMade += 1
  return { name, email: `${name}${accountsMade}@example.com`, password: 'correct horse' }
}

/** Inserts an account with a session into the server's database. It has no password. */
export async function createSession(
  app: App,
  name: string,
): Promise<{ account: Account; cookie: { name: string; value: string } }> {
  const account = makeAccount(name)
  const db = await app.database()
  const secret = (await readFile(join(app.dataDir, 'secret'), 'utf8')).trim()
  // Users of earlier tests give their name up: the pages of this one show it without a number.
  await db
    .updateTable('profiles')
    .set((eb) => ({ name_key: eb.ref('id'), name_look: eb.ref('id') }))
    .where('username', '=', name)
    .execute()
  const { cookie } = await insertSession(db, secret, account)
  const [cookieName = '', value = ''] = cookie.split('=', 2)
  return { account, cookie: { name: cookieName, value } }
}

/**
 * Signs a new account in: puts the cookie of its session into the browser, for each address under which the browser opens
 * the server. For tests about something else.
 */
export async function signIn(
  app: App,
  context: BrowserContext,
  name: string,
  pageUrls: string[] = [app.publicUrl],
): Promise<Account> {
  const { account, cookie } = await createSession(app, name)
  const hostnames = new Set([app.url, ...pageUrls].map((url) => new URL(url).hostname))
  await context.addCookies([...hostnames].map((domain) => ({ ...cookie, domain, path: '/', httpOnly: true })))
  return account
}

/** Registers an account through the API and leaves the browser signed in. */
export async function signUp(app: App, context: BrowserContext, account: Account): Promise<void> {
  const response = await context.request.post(`${app.url}/api/auth/sign-up/email`, {
    headers: { origin: app.publicUrl },
    data: { name: account.name, email: account.email, password: account.password },
  })
  if (!response.ok()) throw new Error(`Sign-up failed: ${response.status()} ${await response.text()}`)
}

/** Registers an account through the sign-up form. */
export async function signUpByForm(page: Page, app: App, account: Account): Promise<void> {
  await page.goto(`${app.url}/login`)
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
}

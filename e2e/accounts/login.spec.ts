import { makeAccount, signUp, signUpByForm } from '../support/accounts.ts'
import { expect, test } from '../support/fixtures.ts'
import { pausePageClock } from '../support/page-clock.ts'

test('1.1, 1.5, 2.30a, 2.30c, 2.40, 8.9c, 8.9d signing up works at once and leads home', async ({
  app,
  page,
}) => {
  const person = makeAccount('grace')
  await page.goto(`${app.url}/login`)
  await expect(page.getByRole('heading', { name: 'Music is better together' })).toBeVisible()
  await expect(page.getByText('Join the community!')).toBeVisible()
  await signUpByForm(page, app, person)
  await expect(page.getByText('Registration successful')).toBeVisible()
  await expect(page.getByText(/^Welcome, grace/)).toBeVisible()
  await expect(page).toHaveURL(`${app.url}/`)
})

test('4.1a, 9.28, 2.10c the session is restored on load, and Logout ends it', async ({
  app,
  page,
  context,
}) => {
  const person = makeAccount('linus')
  await signUp(app, context, person)
  const cookies = await context.cookies()
  expect(cookies.find((cookie) => cookie.name.includes('session'))).toMatchObject({
    httpOnly: true,
    sameSite: 'Lax',
  })
  await page.goto(app.url)
  await page.reload()
  await page.getByRole('button', { name: /^Account of linus/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Create Room' })).toBeVisible()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page.getByText('You have been signed out successfully')).toBeVisible()
  await expect(page).toHaveURL(`${app.url}/`)
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
})

test('4.1b signing out in one tab signs the other out', { tag: '@long' }, async ({ app, page, context }) => {
  await signUp(app, context, makeAccount('margaret'))
  const other = await context.newPage()
  await page.goto(app.url)
  await other.goto(app.url)
  await expect(other.getByRole('button', { name: /^Account of/ })).toBeVisible()
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(other.getByRole('link', { name: 'Sign In' })).toBeVisible()
})

test('2.30b, 5.1a, 5.1b, 8.9a the forms show missing fields, errors of the server, and that Google is not implemented', async ({
  app,
  page,
}) => {
  await page.goto(`${app.url}/login`)
  await page.getByRole('button', { name: 'Google' }).click()
  await expect(page.getByText('This feature is not implemented yet')).toBeVisible()
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Email and password are required' })).toBeVisible()
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('wrong password')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByText('Login failed')).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid email or password' })).toBeVisible()
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('12345')
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'Password must be at least 6 characters' }),
  ).toBeVisible()
})

test('8.9b a registered address cannot sign up again', { tag: '@long' }, async ({ app, page, context }) => {
  const person = makeAccount('dennis')
  await signUp(app, context, person)
  await context.clearCookies()
  await signUpByForm(page, app, person)
  await expect(page.getByText('Registration failed')).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: /already exists/i })).toBeVisible()
})

test('2.30c, 8.9a a sign-in is confirmed, and the user returns to the page they came from', async ({
  app,
  page,
  context,
}) => {
  const person = makeAccount('barbara')
  await signUp(app, context, person)
  await context.clearCookies()
  await page.goto(`${app.url}/create-room`)
  await expect(page).toHaveURL(/\/login$/)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByText('Login successful')).toBeVisible()
  await expect(page).toHaveURL(`${app.url}/create-room`)
})

test('8.14 a session that cannot be read is reported for 10 s', { tag: '@long' }, async ({ page }) => {
  await page.route('**/api/auth/get-session**', (route) => route.fulfill({ status: 500, json: {} }))
  const clock = await pausePageClock(page)
  await page.goto('/')
  const notice = page.getByText('Authentication Error')
  await clock.advanceUntil(() => notice.isVisible(), 20_000)
  await expect(
    page.getByText(
      'There was a problem connecting to the authentication service. Some features may be limited.',
    ),
  ).toBeVisible()
  const shownAtMs = clock.elapsedMs
  await clock.advanceUntil(() => notice.isHidden(), 12_000)
  expect(Math.round((clock.elapsedMs - shownAtMs) / 1_000)).toBe(10)
})

test('8.11a a sign-out that fails is reported', { tag: '@long' }, async ({ owner: { page } }) => {
  await page.route('**/api/auth/sign-out', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/')
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page.getByText('Error signing out')).toBeVisible()
})

test('17.122b on a phone one notice is shown at a time, and having signed in replaces that one has to', async ({
  app,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(app.url)
  await page.getByRole('main').getByRole('link', { name: 'Create Room' }).first().click()
  await expect(page.getByText('Please log in to create a room')).toBeVisible()
  const { email, password } = makeAccount('hedy')
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  const welcome = page.getByText(/^Welcome, hedy/)
  await expect(welcome).toBeAttached()
  const notices = [welcome, page.getByText('Registration successful')]
  const shown = await Promise.all(notices.map((notice) => notice.isVisible()))
  expect(shown.filter(Boolean).length).toBeLessThanOrEqual(1)
  await expect(page.getByText('Please log in to create a room')).toHaveCount(0)
})

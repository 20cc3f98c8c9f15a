import { findUserByAnyName, writeAdmin } from '../../server/src/db/users.ts'
import { startApp, type App } from '../support/app.ts'
import { expect, openPerson, test } from '../support/fixtures.ts'

// They share a server that has no rooms, and whose administrator no other test notices.
test.describe.configure({ mode: 'default' })

let app: App

test.beforeAll(async () => {
  app = await startApp()
})
test.afterAll(() => app.stop())

test('2.1, 2.14b, 6.1 a visitor finds the rooms list at /, empty at first', async ({ page }) => {
  await page.goto(app.url)
  await expect(page.getByRole('heading', { name: 'Available Rooms' })).toBeVisible()
  await expect(page.getByText('No rooms available')).toBeVisible()
  await expect(page.getByText('Create a new room to get started')).toBeVisible()
})

test('17.169 on a phone the selected tab of the administration is in sight', async ({ browser }) => {
  const { page, context } = await openPerson(browser, app, 'ines', { locale: 'de' })
  const db = await app.database()
  const user = await findUserByAnyName(db, 'ines')
  if (user) await writeAdmin(db, user.id, true)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/admin')
  const tabs = page.getByRole('tab')
  await expect(tabs).toHaveCount(5)
  await expect(tabs.last()).not.toBeInViewport({ ratio: 1 })
  await tabs.last().press('Enter')
  await tabs.last().evaluate((tab: HTMLElement) => tab.click())
  await expect(tabs.last()).toBeInViewport({ ratio: 1 })
  await context.close()
})

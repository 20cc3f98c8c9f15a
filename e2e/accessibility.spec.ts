import { AxeBuilder } from '@axe-core/playwright'
import { expect, test, type Page } from '@playwright/test'
import { startApp, type App } from './app.ts'
import { openBrowser, type Browser } from './browser.ts'
import { region } from './sound/recorder.ts'
import { createRoom, makePerson, signUp } from './rooms.ts'

let app: App
let browser: Browser
let roomId: string

test.beforeAll(async () => {
  app = await startApp()
  browser = await openBrowser()
  await signUp(app, browser.context, makePerson('ada'))
  roomId = await createRoom(app, browser.context, { name: 'Accessible' })
})
test.afterAll(async () => {
  await browser.close()
  await app.stop()
})

/** Waits until nothing moves any more: a colour half-way through a fade is nobody's contrast. */
async function settle(page: Page): Promise<void> {
  await expect(page.getByText('Loading your music experience...')).toBeHidden()
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
        .map((animation) => animation.finished.catch(() => null)),
    ),
  )
}

async function findProblems(page: Page): Promise<string[]> {
  await settle(page)
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  )
}

const screens = [
  { name: 'home', path: () => '/' },
  { name: 'create room', path: () => '/create-room' },
  { name: 'room', path: () => `/room/${roomId}` },
  { name: 'room that does not exist', path: () => '/room/nowhere' },
  { name: 'page that does not exist', path: () => '/nowhere' },
]

for (const mode of ['dark', 'light']) {
  for (const screen of screens) {
    test(`nothing on ${screen.name} is hard to use without eyes or mouse (${mode})`, async () => {
      const { page } = browser
      await page.goto(app.url)
      const toggle = page.getByRole('button', { name: `Switch to ${mode} mode` })
      if (await toggle.isVisible()) await toggle.click()
      await page.goto(app.url + screen.path())
      if (screen.name === 'room') {
        await region(page, 'Find Music').getByRole('button', { name: /^Add / }).first().click()
        await expect(page.getByText('Track Added').first()).toBeVisible()
      }
      expect(await findProblems(page)).toEqual([])
    })
  }

  test(`nothing that opens in a room is hard to use without eyes or mouse (${mode})`, async () => {
    const { page } = browser
    await page.goto(`${app.url}/room/${roomId}`)
    const show = page.getByRole('button', { name: 'Show Debug Tools' })
    await show.or(page.getByRole('button', { name: 'Hide Debug Tools' })).waitFor()
    if (await show.isVisible()) await show.click()
    await page.getByRole('button', { name: 'Debug', exact: true }).click()
    for (const tab of await page.getByRole('tablist').getByRole('tab').all()) {
      await tab.click()
      expect(await findProblems(page)).toEqual([])
    }
    await page.getByRole('button', { name: /^Your sync/ }).click()
    await expect(page.getByRole('dialog', { name: 'Sync' })).toBeVisible()
    expect(await findProblems(page)).toEqual([])
  })

  test(`nothing on login is hard to use without eyes or mouse (${mode})`, async () => {
    const visitor = await openBrowser()
    await visitor.page.goto(`${app.url}/login`)
    const toggle = visitor.page.getByRole('button', { name: `Switch to ${mode} mode` })
    if (await toggle.isVisible()) await toggle.click()
    expect(await findProblems(visitor.page)).toEqual([])
    await visitor.close()
  })
}

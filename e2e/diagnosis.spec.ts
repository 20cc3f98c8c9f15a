import { AxeBuilder } from '@axe-core/playwright'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { startApp, type App } from './app.ts'
import { openBrowser, type Browser } from './browser.ts'
import { press, region, stage } from './sound/recorder.ts'
import { createRoom, makePerson, signUp, type Person } from './rooms.ts'

// Each test goes on where the one before it left the room.
test.describe.configure({ mode: 'serial' })

let app: App
let owner: Browser
let listener: Browser
const olga: Person = makePerson('olga')

test.beforeAll(async () => {
  app = await startApp()
  owner = await openBrowser()
  listener = await openBrowser({ mayAutoplay: false })
  await owner.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signUp(app, owner.context, olga)
  await signUp(app, listener.context, makePerson('lars'))
  const roomId = await createRoom(app, owner.context, { name: 'Waiting Room' })
  for (const { page } of [owner, listener]) {
    await page.goto(`${app.url}/room/${roomId}`)
    await page.getByRole('button', { name: 'Show Debug Tools' }).click()
  }
  // Enough that the music does not end before the last test, also where everything takes its time.
  const add = region(owner.page, 'Find Music').getByRole('button', { name: /^Add / })
  for (const index of [0, 1, 2]) {
    await add.nth(index).click()
    await expect(region(owner.page, 'Queue').getByRole('listitem')).toHaveCount(index)
  }
  await expect(stage(owner.page).getByRole('heading', { level: 3 })).toBeVisible()
})
test.afterAll(async () => {
  await Promise.all([owner.close(), listener.close()])
  await app.stop()
})

const panel = (page: Page): Locator => region(page, 'Diagnosis')
const findings = (page: Page): Locator => panel(page).getByRole('list', { name: 'Findings' })
const fact = (page: Page, label: string): Locator =>
  panel(page).getByRole('term').filter({ hasText: label }).locator('xpath=following-sibling::dd')

/** What an earlier diagnosis found has gone when the click is over. */
async function diagnose(page: Page): Promise<void> {
  await panel(page).getByRole('button', { name: 'Run diagnosis' }).click()
  await expect(findings(page)).toBeVisible()
}

test('2.37c, 2.37e a listener with whom all is well is told so, with the facts and the drawn error', async () => {
  const { page } = owner
  await press(page, 'Play')
  await expect(page.getByText(/^In sync/).first()).toBeVisible({ timeout: 20_000 })
  // On a busy machine even the way to itself may be slow for a moment.
  await expect(async () => {
    await diagnose(page)
    await expect(findings(page).getByText('Everything looks good')).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 45_000 })
  await expect(fact(page, 'Server check')).toHaveText(/^Well, answered in [\d.]+ ms$/)
  await expect(fact(page, 'Room connection')).toHaveText('Connected, WebSocket')
  await expect(fact(page, 'Clock offset')).toHaveText(/ms, at most [\d.]+ ms off$/)
  await expect(fact(page, 'Format of the track')).toHaveText('Opus')
  await expect(fact(page, 'Formats')).toHaveText(/^Opus, MP3, .*FLAC, PCM$/)
  await expect(fact(page, 'Page')).toHaveText('Up to date')
  const figure = panel(page).getByRole('figure', { name: 'Sync error, last 2 minutes' })
  await expect(figure.getByText(/^Sync error over the last 2 minutes: now -?[\d.]+ ms, median /)).toHaveCount(
    1,
  )
})

test('2.37d the report can be copied, and says nothing of who listens', async () => {
  const { page } = owner
  await panel(page).getByRole('button', { name: 'Copy report' }).click()
  await expect(page.getByText('Report copied')).toBeVisible()
  const report = await page.evaluate(() => navigator.clipboard.readText())
  expect(report).toMatch(/^Earshot diagnosis, 20.*\nRoom: /)
  expect(report).toContain('Everything looks good')
  expect(report).not.toContain('@')
  expect(report).not.toContain(olga.name)
})

test('2.37d where there is no clipboard the report shows as text', async () => {
  const { page } = listener
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await diagnose(page)
  await panel(page).getByRole('button', { name: 'Copy report' }).click()
  const text = panel(page).getByRole('textbox', { name: 'Report' })
  await expect(text).toHaveValue(/^Earshot diagnosis, /)
  await expect(text).toBeFocused()
})

test('2.37c whose browser blocks the sound is told what to do', async () => {
  // A tab that nobody has touched, and at which this test does not look either, because the browser takes that for a
  // touch: the others in the room see when its sound is blocked.
  const page = await listener.context.newPage()
  await page.goto(listener.page.url())
  await listener.page.close()
  const members = region(owner.page, 'Room Members')
  await expect(members.getByText('Sound is blocked')).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Show Debug Tools' }).click()
  await diagnose(page)
  await expect(findings(page).getByText('The browser blocks the sound')).toBeVisible()
  await expect(findings(page).getByText(/^Press Tap to listen on the stage/)).toBeVisible()
  await expect(fact(page, 'Sound')).toHaveText('Blocked by the browser')
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual([])
  await press(page, 'Tap to listen')
  await diagnose(page)
  await expect(fact(page, 'Sound')).toHaveText('Allowed')
})

test('2.37c how far it is shows, and no answer is waited for longer than some seconds', async () => {
  const { page } = owner
  await page.route('**/health', () => undefined)
  await panel(page).getByRole('button', { name: 'Run diagnosis' }).click()
  await expect(panel(page).getByRole('progressbar')).toBeVisible()
  await expect(findings(page).getByText('The server answers in the room only')).toBeVisible()
  await expect(panel(page).getByRole('progressbar')).toBeHidden()
  await page.unroute('**/health')
})

test('2.37c whose server is gone is told so, and is not kept waiting', async () => {
  const { page } = owner
  await app.kill()
  await expect(page.getByText('Connection lost. Reconnecting...')).toBeVisible()
  await diagnose(page)
  await expect(findings(page).getByText('The server cannot be reached')).toBeVisible()
  await expect(findings(page).getByText(/^Check your internet connection/)).toBeVisible()
  await expect(fact(page, 'Server check')).toHaveText('No answer')
})

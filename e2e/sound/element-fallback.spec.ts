import { expect, test } from '@playwright/test'
import { startApp, type App } from '../app.ts'
import { openBrowser, type Browser } from '../browser.ts'
import { homeName, plainHttpBrowser } from '../plain-http.ts'
import { makeNoiseFolder, openEars, press, region, stage, type Ears } from './recorder.ts'
import { addTracks, createRoom, makePerson, signUp } from '../rooms.ts'
import { openRoom, waitUntilInSync } from '../room-page.ts'

/** Far more than `npm run bench element` measures: what a stutter of a busy machine shifts is made up for slowly. */
const maxSkewMs = 20
/** Two different sounds reach about 0.05. */
const minCorrelation = 0.2

let app: App
let ears: Ears
let owner: Browser
let listener: Browser
let roomId: string
const noise = makeNoiseFolder([
  { title: 'Alpha', seconds: 240 },
  { title: 'Beta', seconds: 120 },
])

test.beforeAll(async () => {
  app = await startApp({ musicDir: noise.path, name: homeName })
  ears = await openEars(2)
  owner = await openBrowser({ ...plainHttpBrowser, sound: ears.environment(0) })
  listener = await openBrowser({ ...plainHttpBrowser, sound: ears.environment(1), mayAutoplay: false })
  await signUp(app, owner.context, makePerson('hanna'))
  await signUp(app, listener.context, makePerson('theo'))
  roomId = await createRoom(app, owner.context, { name: 'Living Room' })
})
test.afterAll(async () => {
  await Promise.all([owner.close(), listener.close()])
  await ears.stop()
  await app.stop()
  noise.remove()
})

/** An element that is being led to its place is resampled, and does not correlate: only calm stretches count. */
async function expectTogether(): Promise<void> {
  await Promise.all([owner, listener].map(({ page }) => waitUntilInSync(page)))
  await expect(async () => {
    const { correlation, lagMs } = (await ears.listen(2_000)).skew(0, 1)
    expect(correlation).toBeGreaterThan(minCorrelation)
    expect(Math.abs(lagMs)).toBeLessThan(maxSkewMs)
  }).toPass({ timeout: 60_000 })
}

test('4.20f over plain http two people hear the same moment, once a click has allowed the sound', async () => {
  test.setTimeout(300_000)
  await openRoom(owner.page, app.publicUrl, roomId)
  await addTracks(app, owner.context, roomId, ['Alpha', 'Beta'])
  await press(owner.page, 'Play')
  // To the browser, being looked at by a test is a touch: until its sound is blocked only the others look.
  await listener.page.goto(owner.page.url())
  await expect(region(owner.page, 'Room Members').getByText('Sound is blocked')).toBeVisible({
    timeout: 30_000,
  })
  await press(listener.page, 'Tap to listen')
  for (const { page } of [owner, listener]) {
    expect(await page.evaluate(() => 'AudioDecoder' in globalThis)).toBe(false)
  }
  await expectTogether()

  await stage(owner.page).getByRole('slider', { name: 'Position' }).press('ArrowRight')
  await expectTogether()

  await press(owner.page, 'Next track')
  await expect(stage(listener.page).getByRole('heading', { name: 'Beta' })).toBeVisible()
  await expectTogether()
})

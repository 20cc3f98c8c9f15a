import { expect, test } from '@playwright/test'
import { startApp, type App } from '../app.ts'
import { openBrowser, type Browser } from '../browser.ts'
import { makeNoiseFolder, openEars, press, region, stage, type Ears } from './recorder.ts'
import { makePerson, signUpByHand } from '../rooms.ts'
import { waitUntilInSync } from '../room-page.ts'

/** The product's main job, as two people would do it: the bound on the skew is what a listener could notice. */
const maxSkewMs = 15
/** Two different sounds reach about 0.05; stutters of a busy machine pull the same sound down from 1. */
const minCorrelation = 0.2

// Each test goes on where the one before it left the room.
test.describe.configure({ mode: 'serial' })

let app: App
let ears: Ears
let owner: Browser
let listener: Browser
const noise = makeNoiseFolder([
  { title: 'Alpha', seconds: 60 },
  { title: 'Beta', seconds: 60 },
  { title: 'Gamma', seconds: 8 },
  { title: 'Omega', seconds: 60 },
])

test.beforeAll(async () => {
  app = await startApp({ musicDir: noise.path })
  ears = await openEars(2)
  owner = await openBrowser({ sound: ears.environment(0) })
  listener = await openBrowser({ sound: ears.environment(1) })
})
test.afterAll(async () => {
  await Promise.all([owner.close(), listener.close()])
  await ears.stop()
  await app.stop()
  noise.remove()
})

/**
 * Both sound, the same, at the same time: at once on a quiet machine, and within some recordings on one that is so busy
 * with browsers that their sound stutters. How exactly, `npm run bench sync` measures.
 */
async function expectInSync(): Promise<void> {
  await expect(async () => {
    const heard = await ears.listen(2_000)
    expect(heard.loudness(0)).toBeGreaterThan(0.01)
    expect(heard.loudness(1)).toBeGreaterThan(0.01)
    const skew = heard.skew(0, 1)
    expect(skew.correlation).toBeGreaterThan(minCorrelation)
    expect(Math.abs(skew.lagMs)).toBeLessThan(maxSkewMs)
  }).toPass({ timeout: 20_000 })
}

/** Nobody sounds, as soon as what was already on its way to the ear has faded. */
async function expectSilence(): Promise<void> {
  const heard = await ears.listen(1_200)
  expect(heard.loudness(0, 700)).toBeLessThan(0.001)
  expect(heard.loudness(1, 700)).toBeLessThan(0.001)
}

const playing = { timeout: 10_000 }

test('1.2a, 4.11a, 4.12, 4.15, 4.13b two people hear the same track at the same time, whatever the owner does', async () => {
  test.setTimeout(240_000)
  await signUpByHand(owner.page, app, makePerson('anna'))
  await expect(owner.page.getByText('Registration successful')).toBeVisible()
  await signUpByHand(listener.page, app, makePerson('ben'))
  await expect(listener.page.getByText('Registration successful')).toBeVisible()

  await owner.page.goto(`${app.url}/create-room`)
  await owner.page.getByPlaceholder('My Awesome Music Room').fill('Noise Lab')
  await owner.page.getByRole('button', { name: 'Create Room' }).click()
  await expect(owner.page.getByRole('heading', { name: 'Noise Lab' })).toBeVisible()

  await listener.page.goto(app.url)
  const card = region(listener.page, 'Available Rooms').getByRole('listitem').filter({ hasText: 'Noise Lab' })
  await card.getByRole('button', { name: /Join Room/ }).click()
  await expect(region(listener.page, 'Room Members').getByText('2 online')).toBeVisible()

  const find = region(owner.page, 'Find Music')
  for (const title of ['Alpha', 'Beta', 'Gamma', 'Omega']) {
    await find.getByPlaceholder('Search for music...').fill(title)
    await find.getByPlaceholder('Search for music...').press('Enter')
    await find.getByRole('button', { name: `Add ${title} to the queue` }).click()
    await expect(owner.page.getByText(`"${title}" added to queue`)).toBeVisible()
  }
  await expect(region(listener.page, 'Queue').getByRole('listitem')).toHaveCount(3)
  await expect(stage(listener.page).getByRole('heading', { name: 'Alpha' })).toBeVisible()

  await test.step('play', async () => {
    await press(owner.page, 'Play')
    await expect(stage(listener.page).getByText('0:02')).toBeVisible(playing)
    await expectInSync()
  })
  await test.step('pause', async () => {
    await press(owner.page, 'Pause')
    await expect(stage(listener.page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
    await expectSilence()
    await press(owner.page, 'Play')
    await expect(stage(listener.page).getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
    await expectInSync()
  })
  await test.step('seek', async () => {
    await stage(owner.page).getByRole('slider', { name: 'Position' }).focus()
    await owner.page.keyboard.press('End')
    await owner.page.keyboard.press('Home')
    await expect(stage(listener.page).getByText('0:03')).toBeVisible(playing)
    await expectInSync()
  })
  await test.step('next', async () => {
    await press(owner.page, 'Next track')
    await expect(stage(listener.page).getByRole('heading', { name: 'Beta' })).toBeVisible()
    await expect(stage(listener.page).getByText('0:02')).toBeVisible(playing)
    await expectInSync()
  })
  await test.step('chat', async () => {
    await region(listener.page, 'Chat').getByRole('textbox', { name: 'Message' }).fill('sounds right')
    await listener.page.keyboard.press('Enter')
    await expect(region(owner.page, 'Chat').getByText('sounds right')).toBeVisible()
  })
})

test('4.19c, 1.2b a listener who reloads in mid-track falls in where the room is', async () => {
  await listener.page.reload()
  await expect(stage(listener.page).getByRole('heading', { name: 'Beta' })).toBeVisible()
  await waitUntilInSync(listener.page)
  await expectInSync()
})

test('1.2c, 4.16a the owner leaves, the music goes on and the queue advances by itself', async () => {
  await press(owner.page, 'Next track')
  await expect(stage(listener.page).getByRole('heading', { name: 'Gamma' })).toBeVisible()
  await owner.page.goto('about:blank')
  await expect(stage(listener.page).getByRole('heading', { name: 'Omega' })).toBeVisible({ timeout: 20_000 })
  await expect(stage(listener.page).getByText('0:02')).toBeVisible(playing)
  const heard = await ears.listen(1_000)
  expect(heard.loudness(1)).toBeGreaterThan(0.01)
  await owner.page.goBack()
  await waitUntilInSync(owner.page)
  await expectInSync()
  await press(owner.page, 'Pause')
  await expect(stage(listener.page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
})

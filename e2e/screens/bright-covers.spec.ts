import type { BrowserContext, Page } from '@playwright/test'
import { findLowContrast } from '../support/contrast.ts'
import { expect, openPerson, test } from '../support/fixtures.ts'
import { nowPlaying, openRoom, press, region } from '../support/room-page.ts'
import { addTracks } from '../support/rooms.ts'

const colours = ['#ff0', '#fff', '#f0f', '#0ff', '#111', '#fa0', '#fff', '#8f8']
const squares = Array.from({ length: 256 }, (_, index) => {
  const colour = colours[(index * 5 + Math.floor(index / 16) * 3) % colours.length]
  return `<rect x="${index % 16}" y="${Math.floor(index / 16)}" width="1" height="1" fill="${colour}"/>`
})
const covers = {
  white: '<rect width="16" height="16" fill="#fff"/>',
  yellow: '<rect width="16" height="16" fill="#ff0"/>',
  busy: squares.join(''),
}

/** Shows a cover in the place of all those of the library. */
async function replaceCovers(context: BrowserContext, name: keyof typeof covers): Promise<void> {
  await context.route(/\/api\/tracks\/.*\/art/, (route) =>
    route.fulfill({
      contentType: 'image/svg+xml',
      body: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" width="600" height="600">${covers[name]}</svg>`,
    }),
  )
}

async function showMode(page: Page, mode: 'dark' | 'light'): Promise<void> {
  await page.evaluate(
    (isLight) => document.documentElement.classList.toggle('scheme-light', isLight),
    mode === 'light',
  )
}

/** Waits until the picture of the current track is drawn. */
async function waitForCover(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.images].some(
      ({ complete, naturalWidth, src }) => complete && naturalWidth > 0 && src.includes('/art'),
    ),
  )
}

for (const name of Object.keys(covers) as (keyof typeof covers)[]) {
  const tag = name === 'white' ? [] : ['@long']
  test(
    `17.100 over a ${name} cover all texts and controls can be read`,
    { tag },
    async ({ app, browser, owner, listener, room }) => {
      await replaceCovers(owner.context, name)
      const { page } = owner
      // As on iPhones: a window that fills the screen keeps its size.
      await page.addInitScript(() => Reflect.deleteProperty(Element.prototype, 'requestFullscreen'))
      await openRoom(page, app.url, room.id)
      // Several times: on a busy machine this test outlasts a track.
      await addTracks(app, owner.context, room.id, Array<string>(5).fill('Neon Harbour'))
      await press(page, 'Play')
      await waitForCover(page)
      await listener.page.goto(room.path)
      await expect(nowPlaying(page).getByRole('list', { name: 'People in the room' })).toBeVisible()
      const visitor = await browser.newContext({ baseURL: app.publicUrl })
      await replaceCovers(visitor, name)
      const door = await visitor.newPage()
      await door.goto(room.path)
      await expect(door.getByRole('heading', { name: /is playing Neon Harbour/ })).toBeVisible()
      await waitForCover(door)
      const problems: string[] = []
      const check = async (where: string, shown: Page, part = shown.getByRole('main')) => {
        for (const mode of ['dark', 'light'] as const) {
          await showMode(shown, mode)
          await waitForCover(shown)
          const first = await findLowContrast(shown, part)
          // A line that passes, such as "liam joined", may be listed and gone before its background is read.
          const found = first.length > 0 ? await findLowContrast(shown, part) : first
          problems.push(...found.map((problem) => `${where}, ${mode}: ${problem}`))
        }
        await showMode(shown, 'dark')
      }
      await check('room', page)
      await page.setViewportSize({ width: 390, height: 844 })
      await check('room on a phone', page)
      await page.keyboard.press('f')
      const listening = page.locator('[data-listen-mode]')
      await check('listen mode on a phone', page, listening)
      await page.setViewportSize({ width: 1280, height: 900 })
      await check('listen mode', page, listening)
      await page.keyboard.press('Escape')
      await check('door', door)
      await door.goto('/')
      await expect(region(door, 'Available Rooms').getByText('Neon Harbour').first()).toBeVisible()
      await check('home', door)
      await page.getByRole('link', { name: 'Home', exact: true }).click()
      await check('mini player', page, region(page, 'Mini player'))
      expect(problems).toEqual([])
      await visitor.close()
    },
  )
}

test(
  '17.100 over a white cover the notice about blocked sound can be read',
  { tag: '@long' },
  async ({ app, browser, owner, room }) => {
    await openRoom(owner.page, app.url, room.id)
    await addTracks(app, owner.context, room.id, ['Neon Harbour'])
    await press(owner.page, 'Play')
    const { context, page } = await openPerson(browser, app, 'tess')
    await replaceCovers(context, 'white')
    await page.addInitScript(() => {
      Object.defineProperty(AudioContext.prototype, 'state', { get: () => 'suspended' })
    })
    await page.goto(room.path)
    await expect(page.getByRole('button', { name: 'Tap to listen' })).toBeVisible()
    await waitForCover(page)
    expect(await findLowContrast(page, nowPlaying(page))).toEqual([])
    await context.close()
  },
)

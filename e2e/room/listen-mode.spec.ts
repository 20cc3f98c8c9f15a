import { signIn } from '../support/accounts.ts'
import { openBrowser } from '../support/browser.ts'
import { expect, hideSplash, test } from '../support/fixtures.ts'
import { openRoom } from '../support/room-page.ts'
import { addTracks } from '../support/rooms.ts'

declare global {
  interface Window {
    /** The wake locks that the page got, each with whether it holds. */
    wakeLocks: boolean[]
  }
}

test('17.5 the listen mode keeps the screen on: also after another tab was in front, and no longer than it lasts', async ({
  app,
  room,
}) => {
  // The normal browser, without the flags of a test tool: it hides a covered tab.
  const listener = await openBrowser({ isUnmodified: true, executablePath: 'chromium' })
  try {
    const { context, page } = listener
    await hideSplash(context)
    await signIn(app, context, 'lena')
    await context.grantPermissions(['screen-wake-lock'])
    await page.addInitScript(() => {
      // As on a phone: a browser that fills the screen leaves that, and so the mode, for another tab.
      Reflect.deleteProperty(Element.prototype, 'requestFullscreen')
      const { wakeLock } = navigator
      const request = wakeLock.request.bind(wakeLock)
      window.wakeLocks = []
      wakeLock.request = async (type) => {
        const lock = await request(type)
        const index = window.wakeLocks.push(true) - 1
        lock.addEventListener('release', () => (window.wakeLocks[index] = false))
        return lock
      }
    })
    await openRoom(page, app.publicUrl, room.id)
    await addTracks(app, context, room.id, ['Neon Harbour'])
    await expect(page.getByRole('heading', { name: 'Neon Harbour' })).toBeVisible()
    const readLocks = () => page.evaluate(() => window.wakeLocks)
    expect(await readLocks()).toEqual([])
    await page.keyboard.press('f')
    await expect.poll(readLocks).toEqual([true])

    const other = await context.newPage()
    await other.bringToFront()
    // The browser itself ends the lock of a page that is out of sight.
    await expect.poll(readLocks).toEqual([false])
    await page.bringToFront()
    await expect.poll(readLocks).toEqual([false, true])

    await page.keyboard.press('Escape')
    await expect(page.locator('[data-listen-mode]')).toBeHidden()
    await expect.poll(readLocks).toEqual([false, false])
  } finally {
    await listener.close()
  }
})

test('17.87, 17.448, 17.455 a listen mode that cannot be loaded or drawn closes and says so, nothing of the room moves, and f opens it again; it says that the connection is lost', async ({
  app,
  owner: { page, context },
  room,
}) => {
  const code = '**/assets/listen-mode-*.js'
  await page.route(code, (route) => route.abort())
  await openRoom(page, app.url, room.id)
  await addTracks(app, context, room.id, ['Neon Harbour'])
  await expect(page.getByRole('heading', { name: 'Neon Harbour' })).toBeVisible()
  const readBottom = () =>
    page
      .locator('#stage > :last-child')
      .evaluate((bar) => Math.round(bar.getBoundingClientRect().bottom - innerHeight))
  expect(await readBottom()).toBe(0)
  const mode = page.locator('[data-listen-mode]')
  await page.keyboard.press('f')
  await expect(page.getByText('This part could not be loaded').first()).toBeVisible()
  expect(await readBottom()).toBe(0)
  await page.unroute(code)

  await page.evaluate(() => {
    const root = document.documentElement
    // Once: the page's own element hides the browser's function.
    root.requestFullscreen = () => {
      Reflect.deleteProperty(root, 'requestFullscreen')
      throw new Error('An error in drawing')
    }
  })
  await page.keyboard.press('f')
  await expect(page.getByText('This part could not be displayed').first()).toBeVisible()
  await expect(mode).toBeHidden()
  await expect(page.getByRole('button', { name: 'Listen mode' })).toBeVisible()
  await page.keyboard.press('f')
  await expect(mode).toBeVisible()

  const lost = mode.getByText('You are offline')
  await expect(lost).toBeHidden()
  await context.setOffline(true)
  await expect(lost).toBeInViewport({ ratio: 1 })
  await context.setOffline(false)
  await expect(lost).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(mode).toBeHidden()
})

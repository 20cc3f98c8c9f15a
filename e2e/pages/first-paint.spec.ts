import type { Page } from '@playwright/test'
import { contextOptions } from '../support/browser.ts'
import { expect, test } from '../support/fixtures.ts'
import { readLayoutShift } from '../support/layout-shift.ts'

const splash = (page: Page) => page.locator('#root > output.splash')

/** Holds the answers to requests that match until the returned function is called. */
async function hold(page: Page, pattern: RegExp): Promise<() => void> {
  const gate = Promise.withResolvers<void>()
  await page.route(pattern, async (route) => {
    await gate.promise
    await route.continue()
  })
  return gate.resolve
}

const brightness = (page: Page) =>
  splash(page).evaluate((element) => {
    const canvas = document.createElement('canvas').getContext('2d')
    if (!canvas) return Number.NaN
    canvas.fillStyle = getComputedStyle(element).backgroundColor
    canvas.fillRect(0, 0, 1, 1)
    return canvas.getImageData(0, 0, 1, 1).data[0]
  })

/** Returns how far from the top the page's own splash writes the name, once it does. Where it came late, it goes at once. */
async function watchDrawnSplash(page: Page): Promise<() => Promise<number>> {
  const watch = await page.evaluateHandle(() => {
    const drawn = Promise.withResolvers<number>()
    const root = document.querySelector('#root')
    const observer = new MutationObserver(() => {
      const name = document.querySelector('#root > output.splash:not([data-static]) .splash-name')
      if (name) drawn.resolve(name.getBoundingClientRect().y)
    })
    if (root) observer.observe(root, { childList: true })
    return { y: drawn.promise }
  })
  return () => watch.evaluate(({ y }) => y)
}

for (const [mode, min, max] of [
  ['dark', 0, 40],
  ['light', 220, 255],
] as const) {
  // A unit test has the colours of both.
  const tag = mode === 'light' ? '@long' : []
  test(
    `17.108a a first visit is painted before scripts and styles arrive: ${mode}`,
    { tag },
    async ({ app, browser }) => {
      const context = await browser.newContext({ ...contextOptions, baseURL: app.publicUrl })
      await context.addInitScript((chosen) => localStorage.setItem('colourMode:v1', chosen), mode)
      const page = await context.newPage()
      // All but what is there to paint it.
      const release = await hold(page, /\/assets\/(?!splash-|first-paint-)/)
      await page.goto('/', { waitUntil: 'commit' })
      await expect(splash(page).getByText('Loading your music experience...')).toBeVisible()
      await expect
        .poll(() => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length))
        .toBe(1)
      expect(await brightness(page)).toBeGreaterThanOrEqual(min)
      expect(await brightness(page)).toBeLessThanOrEqual(max)
      const before = await splash(page).getByText('Earshot').boundingBox()
      const readDrawnY = await watchDrawnSplash(page)
      release()
      // The same splash, drawn by the page: only the letters of its font differ.
      expect(Math.abs((await readDrawnY()) - (before?.y ?? Number.NaN))).toBeLessThan(2)
      await expect(splash(page)).toBeHidden()
      await expect(page.getByRole('heading', { name: 'Available Rooms' })).toBeVisible()
      expect(await readLayoutShift(page)).toBeLessThan(0.02)
      await context.close()
    },
  )
}

test('17.108a on a later visit the splash waits for 400 ms, and the page is not drawn without its styles', async ({
  app,
  browser,
}) => {
  const context = await browser.newContext({ ...contextOptions, baseURL: app.publicUrl })
  await context.addInitScript(() => localStorage.setItem('visited:v1', '1'))
  const page = await context.newPage()
  const release = await hold(page, /\.css$/)
  // Its own style sheet is not held.
  await page.route('**/splash-*.css', (route) => route.continue())
  const lastScript = page.waitForResponse(/\/assets\/index-.*\.js$/)
  await page.goto('/', { waitUntil: 'commit' })
  await lastScript
  const shownAt = (ms: number) =>
    splash(page).evaluate((element, atMs) => {
      for (const animation of element.getAnimations()) {
        animation.pause()
        animation.currentTime = atMs
      }
      return getComputedStyle(element).visibility
    }, ms)
  await expect.poll(() => shownAt(399)).toBe('hidden')
  expect(await shownAt(401)).toBe('visible')
  await expect(page.locator('#root > output[data-static]')).toBeAttached()
  release()
  await expect(page.getByRole('heading', { name: 'Available Rooms' })).toBeVisible()
  await expect(splash(page)).toHaveCount(0)
  await context.close()
})

test('17.108a without scripts the page says what it needs, in place of the splash', async ({
  app,
  browser,
}) => {
  const context = await browser.newContext({ baseURL: app.publicUrl, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/')
  const words = page.locator('noscript')
  expect(await words.textContent()).toContain('Please switch it on')
  await expect(words).toBeInViewport({ ratio: 1 })
  // It lies over the splash, whose scripts would never come.
  expect(await words.boundingBox()).toEqual(await splash(page).boundingBox())
  await context.close()
})

for (const [path, chunk, content] of [
  ['/login', /\/assets\/login-page-/, 'Join the community!'],
  ['/explore', /\/assets\/explore-page-/, 'Explore Rooms'],
  ['/room/nowhere', /\/assets\/room-page-/, 'Room not found'],
] as const) {
  for (const visit of ['first', 'later'] as const) {
    // One page always for each visit.
    const usual = { first: '/login', later: '/room/nowhere' }[visit]
    const tag = path === usual ? [] : ['@long']
    test(
      `17.126 the splash lasts until the code of the first page is there: ${path}, ${visit} visit`,
      { tag },
      async ({ app, browser }) => {
        const context = await browser.newContext({ ...contextOptions, baseURL: app.publicUrl })
        if (visit === 'later') await context.addInitScript(() => localStorage.setItem('visited:v1', '1'))
        const page = await context.newPage()
        const asked = page.waitForRequest(chunk)
        const release = await hold(page, chunk)
        await page.goto(path, { waitUntil: 'commit' })
        await asked
        // Everything else is there, and has run.
        await page.waitForLoadState('domcontentloaded')
        await page.waitForFunction(() => document.fonts.status === 'loaded')
        await expect(splash(page).getByText('Loading your music experience...')).toBeVisible()
        await expect(page.getByRole('banner')).toHaveCount(0)
        release()
        await expect(page.getByRole('heading', { name: content })).toBeVisible()
        await expect(splash(page)).toHaveCount(0)
        expect(await readLayoutShift(page)).toBeLessThan(0.02)
        await context.close()
      },
    )
  }
}

test('17.186 every style sheet and script of a page is kept by browsers', async ({
  owner: { page },
  room,
}) => {
  for (const path of ['/', room.path]) {
    const policies = new Map<string, string | undefined>()
    page.on('response', (response) => {
      if (!['stylesheet', 'script'].includes(response.request().resourceType())) return
      policies.set(new URL(response.url()).pathname, response.headers()['cache-control'])
    })
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect([...policies.keys()].some((file) => file.includes('first-paint'))).toBe(true)
    for (const [file, policy] of policies)
      expect([file, policy]).toEqual([file, expect.stringContaining('immutable')])
  }
})

test("17.157 a visitor's document of a room names the scripts that draw its door", async ({ page, room }) => {
  const loaded: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') loaded.push(new URL(request.url()).pathname)
  })
  const document = await page.goto(room.path, { waitUntil: 'commit' })
  const html = (await document?.text()) ?? ''
  await expect(page.getByRole('heading', { name: 'Listen with', level: 1 })).toBeVisible()
  const drawing = loaded.filter((script) => /-page-|\/door-/.test(script))
  expect(drawing.length).toBeGreaterThan(1)
  for (const script of drawing) expect(html).toContain(script)
})

test('17.108b the page before stays while the next one loads, and says so', async ({ page }) => {
  await page.goto('/')
  const heading = page.getByRole('heading', { name: 'Available Rooms' })
  await expect(heading).toBeVisible()
  const release = await hold(page, /\/assets\/login-page-/)
  await page.getByRole('link', { name: 'Sign In' }).click()
  await expect(page.getByText('Loading', { exact: true })).toBeVisible()
  await expect(heading).toBeVisible()
  release()
  await expect(page.getByText('Join the community!')).toBeVisible()
  await expect(page.getByText('Loading', { exact: true })).toBeHidden()
})

test('17.434 where the code of the page does not arrive, the splash says so, and the page can be loaded again', async ({
  app,
  browser,
}) => {
  const context = await browser.newContext({ ...contextOptions, baseURL: app.publicUrl })
  const page = await context.newPage()
  for (const code of [/\/assets\/index-[^/]*\.js$/, /\/assets\/base-[^/]*\.js$/]) {
    await page.route(code, (route) => route.abort())
    await page.goto('/')
    await expect(splash(page).getByText('Earshot cannot be reached')).toBeVisible()
    await expect(splash(page).getByText('Loading your music experience...')).toBeHidden()
    await page.unroute(code)
    await splash(page).getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('link', { name: 'Create Room' }).first()).toBeVisible()
  }
  await page.route(/\/assets\/index-[^/]*\.js$/, (route) => route.abort())
  await page.goto('/')
  await expect(splash(page).getByText('Earshot cannot be reached')).toBeVisible()
  await page.unrouteAll()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(page.getByRole('link', { name: 'Create Room' }).first()).toBeVisible()
  await context.close()
})

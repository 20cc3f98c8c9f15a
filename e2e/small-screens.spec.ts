import { languageCookie } from '@earshot/core/protocol/languages'
import type { Locator } from '@playwright/test'
import { expect, openPerson, test } from './fixtures.ts'
import { addFirstTracks, nowPlaying, openRoom, press, waitUntilInSync } from './room-page.ts'
import { createRoom } from './rooms.ts'

const boxesOf = (elements: Locator) =>
  elements.evaluateAll((each) =>
    each
      .map((element) => element.getBoundingClientRect())
      .filter(({ width, height }) => width > 1 && height > 1)
      .map(({ left, top, right, bottom, width, height }) => ({ left, top, right, bottom, width, height })),
  )

for (const language of ['en', 'de', 'ar']) {
  const tag = language === 'de' ? ['@long'] : []
  test(
    `17.128 on the narrowest phones no control lies over another, and touch has 44 px: ${language}`,
    { tag },
    async ({ app, browser }) => {
      const { page, context } = await openPerson(browser, app, 'nora', {
        locale: language,
        hasTouch: true,
        isMobile: true,
      })
      const id = await createRoom(app, context, { name: 'Attic Tapes', isPublic: false, password: 'attic' })
      await page.goto(`/room/${id}`)
      const player = page.locator('#stage > :last-child')
      await player.getByRole('button').first().waitFor()
      for (const width of [320, 360, 390]) {
        await page.setViewportSize({ width, height: 640 })
        for (const part of [player, page.locator('header:has(h1)')]) {
          const buttons = part.getByRole('button').filter({ visible: true })
          await expect.poll(async () => (await boxesOf(buttons)).length).toBeGreaterThanOrEqual(4)
          const boxes = await boxesOf(buttons)
          for (const [index, box] of boxes.entries()) {
            expect(box.left, `${width} px, button ${index}`).toBeGreaterThanOrEqual(0)
            expect(box.right, `${width} px, button ${index}`).toBeLessThanOrEqual(width)
            expect(box.height).toBeGreaterThanOrEqual(44)
            expect(box.width).toBeGreaterThanOrEqual(44)
            for (const other of boxes.slice(index + 1)) {
              const isBeside = other.left >= box.right - 0.5 || other.right <= box.left + 0.5
              const isAbove = other.top >= box.bottom - 0.5 || other.bottom <= box.top + 0.5
              expect(isBeside || isAbove, `${width} px, button ${index}`).toBe(true)
            }
          }
        }
        // Two rows: the name with Invite, and the rest.
        const rows = new Set(
          (await boxesOf(page.locator('header:has(h1)').getByRole('button'))).map(({ top, bottom }) =>
            Math.round((top + bottom) / 2),
          ),
        )
        expect(rows.size).toBe(2)
      }
      await context.close()
    },
  )
}

test('17.129 at 200 % zoom of a small window the name, the sync figure and the reactions of a room are whole', async ({
  app,
  owner: { page, context },
  listener,
}) => {
  const id = await createRoom(app, context, { name: 'Attic Tapes' })
  await openRoom(page, app.url, id)
  await addFirstTracks(page, 1)
  // Who is alone reads an invitation in place of the figure.
  await openRoom(listener.page, app.url, id)
  await press(page, 'Play')
  await waitUntilInSync(page)
  for (const [width, height] of [
    [640, 360],
    [667, 375],
    [640, 400],
  ] as const) {
    await page.setViewportSize({ width, height })
    const isWhole = (part: Locator) =>
      part.evaluate((element) => element.scrollWidth <= element.clientWidth + 1)
    expect(await isWhole(page.getByRole('heading', { name: 'Attic Tapes' }))).toBe(true)
    const figure = nowPlaying(page).getByText(/^In sync · within \d/)
    await expect(figure).toBeInViewport({ ratio: 1 })
    expect(await isWhole(figure)).toBe(true)
    const stage = await page.locator('#stage > :first-child').boundingBox()
    const reactions = nowPlaying(page).getByRole('group', { name: 'Reactions' }).getByRole('button')
    await expect(reactions).toHaveCount(6)
    for (const { left, right, top, bottom } of await boxesOf(reactions)) {
      expect(left).toBeGreaterThanOrEqual(stage?.x ?? Infinity)
      expect(right).toBeLessThanOrEqual((stage?.x ?? 0) + (stage?.width ?? 0))
      expect(top).toBeGreaterThanOrEqual(stage?.y ?? Infinity)
      expect(bottom).toBeLessThanOrEqual((stage?.y ?? 0) + (stage?.height ?? 0))
    }
    const [cover] = await boxesOf(nowPlaying(page).getByRole('img', { name: /^Cover of/ }))
    const [first] = await boxesOf(reactions)
    expect(cover?.bottom).toBeLessThanOrEqual((first?.top ?? 0) + 8)
  }
})

test('17.250 on the narrowest phones no label of a popup of a room is cut off', async ({ app, browser }) => {
  const { page, context } = await openPerson(browser, app, 'nora', {
    viewport: { width: 320, height: 640 },
    hasTouch: true,
    isMobile: true,
  })
  const id = await createRoom(app, context, { name: 'Sunday Listening Club' })
  await openRoom(page, app.url, id)
  await addFirstTracks(page, 2)
  // The longest words.
  await context.addCookies([{ name: languageCookie, value: 'de', url: app.url }])
  await page.reload()
  const popup = page.getByRole('dialog')
  const button = (name: string) => page.getByRole('button', { name })
  const expectWhole = async () => {
    await expect.poll(() => popup.getByRole('button').count()).toBeGreaterThan(0)
    expect(await cutOffLabels(popup)).toEqual([])
  }
  const close = async () => {
    await page.keyboard.press('Escape')
    await popup.waitFor({ state: 'hidden' })
  }

  await button('Deine Synchronität').click()
  await popup.getByText('Feinabgleich', { exact: true }).first().waitFor()
  await expectWhole()
  await close()

  await page.getByRole('tab', { name: 'Warteschlange' }).click()
  await button('Warteschlange leeren').click()
  await expectWhole()
  await close()

  await button('Einladen').click()
  const link = await popup.getByRole('textbox').boundingBox()
  expect(link?.width).toBeGreaterThan(200)
  await expectWhole()
  await close()

  await button('Raumeinstellungen').click()
  await popup.getByText('Raum löschen').click()
  await popup.getByRole('button', { name: /löschen$/ }).waitFor()
  await expectWhole()
  await context.close()
})

/** The labels that reach over an edge of a popup, or that end in an ellipsis. */
const cutOffLabels = (popup: Locator) =>
  popup.evaluate((element) => {
    const edges = element.getBoundingClientRect()
    return Array.from(element.querySelectorAll<HTMLElement>(':not(svg, svg *, input, select)'))
      .filter((part) => {
        const { left, right, width } = part.getBoundingClientRect()
        if (width <= 1) return false // for screen readers only
        const isShortened =
          part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX !== 'visible'
        return left < edges.left || right > edges.right || isShortened
      })
      .map((part) => part.textContent)
  })

test('17.188 the notice of a lost connection covers no control of the room and not its name', async ({
  app,
  owner: { page, context },
}) => {
  const id = await createRoom(app, context, { name: 'Attic Tapes' })
  await openRoom(page, app.url, id)
  const player = page.locator('#stage > :last-child')
  await player.getByRole('button').first().waitFor()
  await context.setOffline(true)
  const notice = page.getByText('You are offline').locator('xpath=ancestor::output')
  await notice.waitFor()
  const header = page.locator('header:has(h1)')
  const parts = [
    header.getByRole('heading'),
    header.getByRole('button'),
    page.getByRole('tab'),
    player.getByRole('button'),
  ]
  for (const [width, height] of screens) {
    await page.setViewportSize({ width, height })
    const [bar] = await boxesOf(notice)
    const boxes = (await Promise.all(parts.map(boxesOf))).flat()
    expect(boxes.length).toBeGreaterThan(9)
    expect(boxes.filter((box) => overlap(box, bar!))).toEqual([])
  }
})

/** A phone upright and on its side, tablets and desktops. */
const screens = [
  [390, 844],
  [844, 390],
  [720, 900],
  [820, 1180],
  [1024, 768],
  [1440, 900],
] as const

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

const overlap = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

for (const language of ['en', 'de', 'ar']) {
  test(`17.189 at 320 px no page of a visitor is wider than the screen: ${language}`, async ({
    app,
    browser,
  }) => {
    const context = await browser.newContext({
      baseURL: app.publicUrl,
      locale: language,
      viewport: { width: 320, height: 640 },
      hasTouch: true,
      isMobile: true,
    })
    const page = await context.newPage()
    for (const path of ['/', '/explore', '/login', '/reset-password']) {
      await page.goto(path)
      await page.getByRole('main').getByRole('heading').first().waitFor()
      const edges = await page
        .getByRole('banner')
        .locator('a, button')
        .evaluateAll((each) =>
          each.map((element) => element.getBoundingClientRect()).flatMap(({ left, right }) => [left, right]),
        )
      expect(Math.min(...edges), path).toBeGreaterThanOrEqual(0)
      expect(Math.max(...edges), path).toBeLessThanOrEqual(320)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320)
    }
    await context.close()
  })
}

test('17.130 from 640 px on the links of the top bar are in one line or in the menu', async ({
  app,
  browser,
}) => {
  for (const locale of ['en', 'de', 'ar']) {
    const context = await browser.newContext({ baseURL: app.publicUrl, locale })
    const page = await context.newPage()
    await page.goto('/')
    const bar = page.getByRole('banner')
    await expect(bar.getByRole('link').first()).toBeVisible()
    for (const width of [640, 768, 820, 1024]) {
      await page.setViewportSize({ width, height: 800 })
      const links = await boxesOf(bar.locator('nav').first().getByRole('link'))
      for (const link of links) expect(link.height).toBeLessThan(48)
      const parts = await boxesOf(bar.locator(':scope > div > *'))
      const sorted = parts.toSorted((one, other) => one.left - other.left)
      for (const [index, part] of sorted.entries())
        expect(part.left).toBeGreaterThanOrEqual((sorted[index - 1]?.right ?? 0) - 0.5)
      expect(sorted.at(-1)?.right).toBeLessThanOrEqual(width)
    }
    await context.close()
  }
})

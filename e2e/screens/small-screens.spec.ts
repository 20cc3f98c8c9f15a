import { languageCookie } from '@earshot/core/protocol/languages'
import type { Locator, Page } from '@playwright/test'
import { boxesOf, overlap } from '../support/boxes.ts'
import { expect, openPerson, test } from '../support/fixtures.ts'
import { serveNewerPage } from '../support/newer-page.ts'
import {
  addFirstTracks,
  holdNotices,
  nowPlaying,
  openRoom,
  openTab,
  press,
  region,
  waitUntilInSync,
} from '../support/room-page.ts'
import { addTracks, createRoom, fillMembers } from '../support/rooms.ts'

for (const language of ['en', 'de', 'ar']) {
  const tag = language === 'de' ? ['@long'] : []
  test(
    `17.128, 17.401 on small phones no control lies over another, and touch has 44 px: ${language}`,
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
      await holdNotices(page)
      await player.getByRole('button').nth(-2).click()
      const notice = page.locator('[aria-live=polite] > [role=dialog]').first()
      await notice.waitFor()
      for (const { width, height, bottom } of await boxesOf(notice.getByRole('button'))) {
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
        expect(bottom).toBeLessThan(56)
      }

      const leaving = new AbortController()
      await fillMembers(app, { roomId: id, password: 'attic' }, 13, leaving.signal)
      for (const [width, height] of lowPhones) {
        await page.setViewportSize({ width, height })
        await expect.poll(() => readPeople(page)).toEqual({ members: 14, hasSeveral: true, problems: [] })
      }
      leaving.abort()
      await context.close()
    },
  )
}

/** Screens of phones without the browser's bars above and below. */
const lowPhones = [
  [390, 664],
  [375, 553],
  [360, 640],
  [320, 568],
  [390, 844],
] as const

/**
 * How many people the faces beside the cover and the number after them stand for, and which boxes are not as they
 * must be.
 */
async function readPeople(page: Page) {
  const ring = page.locator('#stage ul')
  const buttons = ring.getByRole('button')
  const [[cover], boxes, texts] = await Promise.all([
    boxesOf(ring),
    boxesOf(buttons),
    buttons.allTextContents(),
  ])
  const others = Number(/\d+/.exec(texts.at(-1) ?? '')?.[0])
  const { width = 0 } = page.viewportSize() ?? {}
  const problems = boxes.filter(
    (box, index) =>
      Math.min(box.width, box.height) < 44 ||
      box.left < 0 ||
      box.right > width ||
      [cover, ...boxes.slice(index + 1)].some((other) => !other || overlap(box, other)),
  )
  return { members: boxes.length - 1 + others, hasSeveral: boxes.length >= 6, problems }
}

test('17.129, 17.405 at 200 % zoom of a small window the name, the list of shortcuts, the sync figure and the reactions of a room are whole', async ({
  app,
  owner: { page, context },
}) => {
  const id = await createRoom(app, context, { name: 'Attic Tapes' })
  await openRoom(page, app.url, id)
  // Several: on a busy machine a test outlasts a track.
  await addFirstTracks(page, 3)
  await press(page, 'Play')
  // A member who is alone reads an invitation in place of the figure.
  const leaving = new AbortController()
  await fillMembers(app, { roomId: id }, 1, leaving.signal)
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
    await expect(page.getByRole('button', { name: 'Keyboard shortcuts' })).toBeInViewport({ ratio: 1 })
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
  leaving.abort()
})

test('17.250 on the narrowest phones no label of a popup of a room is cut off', async ({ app, browser }) => {
  const { page, context } = await openPerson(browser, app, 'nora', {
    viewport: { width: 320, height: 640 },
    hasTouch: true,
    isMobile: true,
  })
  const id = await createRoom(app, context, { name: 'Sunday Listening Club' })
  // The longest words.
  await context.addCookies([{ name: languageCookie, value: 'de', url: app.url }])
  await page.goto(`${app.url}/room/${id}`)
  await page.getByRole('button', { name: 'Einladen' }).waitFor()
  await addTracks(app, context, id, ['Neon Harbour', 'Glasshouse'])
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

test('17.188, 17.391 no notice covers a control of the room or its name', async ({
  app,
  owner: { page, context },
}) => {
  const id = await createRoom(app, context, { name: 'Attic Tapes' })
  await openRoom(page, app.url, id)
  await addFirstTracks(page, 3)
  await openTab(page, 'Queue')
  await holdNotices(page)
  await region(page, 'Queue')
    .getByRole('button', { name: /^More for/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  const removal = region(page, 'Notifications').getByRole('dialog')
  await expect(removal.getByRole('button', { name: 'Undo' })).toBeVisible()
  await expectClear(page, removal, 'everywhere')

  await context.setOffline(true)
  const offline = page.getByText('You are offline').locator('xpath=ancestor::div[1]')
  await offline.waitFor()
  await expectClear(page, offline, 'at the top')

  await serveNewerPage(page)
  await context.setOffline(false)
  const update = page.getByText('A new version is available').locator('xpath=parent::output')
  await update.waitFor()
  await expectClear(page, update, 'everywhere')
})

/** Expects a notice, which stays, to lie over no control of a room on any screen, also where the page is scrolled. */
async function expectClear(page: Page, notice: Locator, where: 'at the top' | 'everywhere'): Promise<void> {
  const header = page.locator('header:has(h1)')
  const bars = [page.getByRole('tab'), page.locator('#stage > :last-child').getByRole('button')]
  const atTop = [header.getByRole('heading'), header.getByRole('button'), ...bars]
  // The other notices stay there for seconds.
  if (where === 'at the top') atTop.push(page.locator('#stage > :first-child').getByRole('button'))
  const atEnd = [region(page, 'Queue').getByRole('button'), ...bars]
  const covered = async (parts: Locator[]) => {
    const shown = await boxesOf(notice)
    const boxes = (await Promise.all(parts.map(boxesOf))).flat()
    expect(boxes.length).toBeGreaterThan(9)
    return shown.length > 0 && boxes.filter((box) => shown.some((each) => overlap(box, each)))
  }
  for (const [width, height] of screens) {
    await page.setViewportSize({ width, height })
    await page.evaluate(() => scrollTo(0, 0))
    await expect.poll(() => covered(atTop), `${width} x ${height}`).toEqual([])
    if (where === 'at the top') continue
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect.poll(() => covered(atEnd), `${width} x ${height}, scrolled`).toEqual([])
  }
}

/** A phone upright and on its side, tablets and desktops. */
const screens = [
  [390, 844],
  [844, 390],
  [720, 900],
  [820, 1180],
  [1024, 768],
  [1440, 900],
] as const

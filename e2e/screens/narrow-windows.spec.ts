import { boxesOf } from '../support/boxes.ts'
import { expect, openPerson, test } from '../support/fixtures.ts'
import { openRoom } from '../support/room-page.ts'
import { createRoom } from '../support/rooms.ts'

test('17.357, 17.358, 17.405 a narrow window has the volume, a phone has not; low ones tell the owner and the privacy', async ({
  app,
  browser,
  owner,
  listener,
}) => {
  const id = await createRoom(app, owner.context, { name: 'Attic Tapes', isPublic: false, password: 'attic' })
  const invitation = { headers: { origin: app.publicUrl }, data: { password: 'attic' } }
  await listener.context.request.post(`${app.url}/api/rooms/${id}/join`, invitation)
  const { page } = listener
  await openRoom(page, app.url, id)
  const volume = page.getByRole('slider', { name: 'Volume' })
  const place = volume.locator('xpath=../..')
  const mute = page.getByRole('button', { name: 'Mute' })
  for (const width of [320, 390, 700]) {
    await page.setViewportSize({ width, height: 800 })
    await page.mouse.move(0, 0)
    await expect(place).toHaveCSS('opacity', '0')
    await mute.hover()
    await expect(place).toHaveCSS('opacity', '1')
    const box = (await volume.boundingBox())!
    expect([box.x >= 0, box.x + box.width <= width]).toEqual([true, true])
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await expect(volume).toHaveValue(/^0\.[456]/)
    await page.mouse.move(0, 0)
    await mute.locator('xpath=preceding::button[1]').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(place).toHaveCSS('opacity', '1')
    await page.keyboard.press('Home')
    await expect(volume).toHaveValue('0')
    await volume.blur()
  }
  const header = page.locator('header:has(h1)')
  for (const [width, height] of [
    [844, 390],
    [720, 450],
    [640, 360],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const told of ['olivia', 'Private room']) {
      await expect(header.getByTitle(told)).toContainText(told)
      await expect(header.getByTitle(told).locator('svg')).toBeVisible()
    }
    for (const opener of [/^\d members?$/, 'Invite', 'Keyboard shortcuts']) {
      await expect(header.getByRole('button', { name: opener })).toBeInViewport({ ratio: 1 })
    }
    const name = await header.getByRole('heading').boundingBox()
    expect(name!.width).toBeGreaterThan(60)
  }

  const phone = await openPerson(browser, app, 'nora', { hasTouch: true, isMobile: true })
  const own = await createRoom(app, phone.context, { name: 'Attic Tapes' })
  await openRoom(phone.page, app.url, own)
  await phone.page.setViewportSize({ width: 390, height: 844 })
  await expect(phone.page.getByRole('button', { name: 'Mute' })).toBeVisible()
  await expect(phone.page.getByRole('slider', { name: 'Volume' })).toBeHidden()
  await phone.context.close()
})

for (const language of ['en', 'de', 'ar']) {
  // The shortest words.
  const tag = language === 'en' ? '@long' : []
  test(
    `17.189 at 320 px no page of a visitor is wider than the screen: ${language}`,
    { tag },
    async ({ app, browser }) => {
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
            each
              .map((element) => element.getBoundingClientRect())
              .flatMap(({ left, right }) => [left, right]),
          )
        expect(Math.min(...edges), path).toBeGreaterThanOrEqual(0)
        expect(Math.max(...edges), path).toBeLessThanOrEqual(320)
        expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320)
      }
      await context.close()
    },
  )
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

import { expect, test } from '../support/fixtures.ts'

test('17.84 a stranger chooses Arabic, which reads from right to left and stays chosen', async ({
  app,
  browser,
}) => {
  const context = await browser.newContext({ baseURL: app.publicUrl, locale: 'de-AT' })
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Verfügbare Räume' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('العربية')
  await expect(page.getByRole('heading', { name: 'الغرف المتاحة' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  const brand = await page.getByRole('link', { name: 'Earshot' }).boundingBox()
  expect(brand?.x).toBeGreaterThan(640)
  await page.goto('/login')
  await expect(page).toHaveTitle(/تسجيل الدخول/)
  await context.close()
})

test('17.346 arrow keys on the choice of the language change nothing before Enter, or before it is left', async ({
  app,
  browser,
}) => {
  const context = await browser.newContext({ baseURL: app.publicUrl, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto('/')
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1
  })
  const choice = page.getByRole('combobox', { name: 'Language' })
  await choice.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await expect(choice).toHaveValue('de')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Tab')
  await expect(choice).not.toBeFocused()
  expect(loads).toBe(0)
  await choice.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Verfügbare Räume' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Sprache' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('heading', { name: 'الغرف المتاحة' })).toBeVisible()
  expect(loads).toBe(2)
  await context.close()
})

for (const language of ['en', 'de', 'ar']) {
  // The shortest words.
  const tag = language === 'en' ? '@long' : []
  test(
    `17.122a the names of the tabs of a room keep their distance on a phone: ${language}`,
    { tag },
    async ({ app, owner: { context, page }, room }) => {
      await context.addCookies([{ name: 'language', value: language, url: app.publicUrl }])
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto(room.path)
      const tabs = page.getByRole('tab')
      await expect(tabs).toHaveCount(3)
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 844 })
        const gaps = await tabs.evaluateAll((elements) => {
          const boxes = elements.map((element) => {
            const range = document.createRange()
            range.selectNodeContents(element)
            return range.getBoundingClientRect()
          })
          boxes.sort((one, other) => one.left - other.left)
          const ends = [0, ...boxes.map(({ right }) => right)]
          return [...boxes.map(({ left }) => left), innerWidth].map(
            (left, index) => left - (ends[index] ?? 0),
          )
        })
        for (const gap of gaps.slice(1, -1)) expect(gap).toBeGreaterThanOrEqual(16)
        expect(Math.min(...gaps)).toBeGreaterThanOrEqual(8)
      }
    },
  )
}

test('17.106 what is typed in the chat does not lie under its button', async ({
  app,
  owner: { context, page },
  room,
}) => {
  await context.addCookies([{ name: 'language', value: 'ar', url: app.publicUrl }])
  await page.goto(room.path)
  await page.getByRole('tab').last().click()
  const field = page.locator('textarea')
  await field.fill('A line in Latin letters')
  const button = await field.locator('xpath=ancestor::form').locator('button[type=submit]').boundingBox()
  const [box, padding] = await field.evaluate((element) => [
    element.getBoundingClientRect().x,
    Number.parseFloat(getComputedStyle(element).paddingLeft),
  ])
  expect((box ?? 0) + (padding ?? 0)).toBeGreaterThanOrEqual((button?.x ?? Infinity) + (button?.width ?? 0))
})

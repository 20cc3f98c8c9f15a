import { expect, test } from './fixtures.ts'

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

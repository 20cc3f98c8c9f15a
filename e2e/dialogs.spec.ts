import type { Page } from '@playwright/test'
import { signIn } from './accounts.ts'
import { openBrowser } from './browser.ts'
import { expect, hideSplash, test } from './fixtures.ts'

const screen = { width: 1024, height: 600 }

/** Reads the colours of the screen beside its right edge: of the strip of the scrollbar, and of the page beside it. */
async function readEdge(page: Page): Promise<{ strip: number[]; page: number[] }> {
  const picture = await page.screenshot({ animations: 'disabled' })
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    if (!canvas) throw new Error('No canvas')
    canvas.drawImage(bitmap, 0, 0)
    const read = (fromRight: number) => [
      ...canvas.getImageData(bitmap.width - fromRight, bitmap.height - 40, 1, 1).data,
    ]
    return { strip: read(4), page: read(24) }
  }, picture.toString('base64'))
}

test('17.127 behind a dialog the strip of the scrollbar is as dark as the page', async ({ app }) => {
  const browser = await openBrowser({ hasScrollbars: true })
  const { page, context } = browser
  try {
    await hideSplash(context)
    await signIn(app, context, 'nora')
    await page.setViewportSize(screen)
    await page.goto(`${app.url}/profile`)
    const open = page.getByRole('button', { name: 'Change Password' })
    await open.waitFor()
    const stripPx = await page.evaluate(() => innerWidth - document.documentElement.clientWidth)
    expect(stripPx).toBeGreaterThan(8)
    const before = await readEdge(page)
    for (const isLight of [false, true]) {
      await page.evaluate(
        (light) => document.documentElement.classList.toggle('scheme-light', light),
        isLight,
      )
      await open.click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expect
        .poll(async () => {
          const { strip, page: beside } = await readEdge(page)
          return Math.max(...strip.map((value, index) => Math.abs(value - (beside[index] ?? 0))))
        })
        .toBeLessThanOrEqual(2)
      // The page has not moved into the place of the scrollbar.
      expect(await page.evaluate(() => innerWidth - document.body.clientWidth)).toBe(stripPx)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
    await page.evaluate(() => document.documentElement.classList.remove('scheme-light'))
    await expect.poll(() => readEdge(page)).toEqual(before)
  } finally {
    await browser.close()
  }
})

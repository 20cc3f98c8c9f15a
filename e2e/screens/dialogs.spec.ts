import type { Page } from '@playwright/test'
import { signIn } from '../support/accounts.ts'
import { openBrowser } from '../support/browser.ts'
import { expect, hideSplash, test } from '../support/fixtures.ts'
import { nowPlaying, openMembers } from '../support/room-page.ts'
import { addTracks, fillMembers } from '../support/rooms.ts'

/** A CloseWatcher, which TypeScript does not know yet. */
interface Watcher {
  requestClose: () => void
  destroy(): void
}

declare global {
  interface Window {
    /** The close watchers of what is open on the page. */
    watchers: Set<Watcher>
  }
}

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

test('17.388 what a device has for going back, and Escape, close what is open, the topmost first, and stay on the page', async ({
  app,
  owner: { page, context },
  room,
}) => {
  // Somebody to remove.
  const leaving = new AbortController()
  await fillMembers(app, { roomId: room.id }, 1, leaving.signal)
  await page.addInitScript(() => {
    window.watchers = new Set()
    const Native = Reflect.get(window, 'CloseWatcher') as new () => Watcher
    class Followed extends Native {
      constructor() {
        super()
        window.watchers.add(this)
      }
      override destroy() {
        window.watchers.delete(this)
        super.destroy()
      }
    }
    Reflect.set(window, 'CloseWatcher', Followed)
  })
  await page.goto(room.path)
  const goBack = () => page.evaluate(() => [...window.watchers].at(-1)?.requestClose())
  const watcherCount = () => page.evaluate(() => window.watchers.size)
  for (const [name, role] of [
    ['Invite', 'dialog'],
    [/\d members?$/, 'dialog'],
    [/^Account of/, 'menu'],
  ] as const) {
    await page.getByRole('button', { name }).first().click()
    await expect(page.getByRole(role)).toBeVisible()
    await expect.poll(watcherCount).toBe(1)
    await goBack()
    await expect(page.getByRole(role)).toHaveCount(0)
    expect(await watcherCount()).toBe(0)
  }
  for (const close of [goBack, () => page.keyboard.press('Escape')]) {
    const members = await openMembers(page)
    await members.getByRole('button', { name: /^Remove/ }).click()
    // It listens for keys from then on.
    await expect(page.getByRole('menu')).toBeFocused()
    await expect.poll(watcherCount).toBe(2)
    await close()
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expect(members).toBeVisible()
    await expect.poll(watcherCount).toBe(1)
    await close()
    await expect(members).toHaveCount(0)
  }
  await addTracks(app, context, room.id, ['Neon Harbour'])
  await nowPlaying(page).getByRole('heading', { name: 'Neon Harbour' }).click()
  await page.keyboard.press('f')
  const listenMode = page.locator('[data-listen-mode]')
  await expect(listenMode).toBeVisible()
  await goBack()
  await expect(listenMode).toHaveCount(0)
  expect(new URL(page.url()).pathname).toBe(room.path)
  leaving.abort()
})

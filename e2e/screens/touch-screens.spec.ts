import type { Locator, Page } from '@playwright/test'
import { contextOptions } from '../support/browser.ts'
import { expect, openPerson, test } from '../support/fixtures.ts'
import { addFirstTracks, openRoom, openTab, press, region } from '../support/room-page.ts'
import { createRoom } from '../support/rooms.ts'

test('17.386, 17.390, 17.399, 17.450 on touch screens fields have text of at least 16 px, switches and sources have 44 px, and the chat keeps the focus when its button sends', async ({
  app,
  browser,
}) => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const { page, context } = await openPerson(browser, app, 'nora', phone)
  const id = await createRoom(app, context, { name: 'Attic Tapes' })
  const visitor = await browser.newContext({ ...contextOptions, baseURL: app.url, ...phone })
  const fields = 'input:not([type=checkbox], [type=radio], [type=range]), select, textarea'
  const expectLarge = async (shown: Page, screen: string) => {
    await expect(shown.locator(fields).filter({ visible: true }), screen).not.toHaveCount(0)
    const sizes = await shown
      .locator(fields)
      .evaluateAll((each) => each.map((field) => parseFloat(getComputedStyle(field).fontSize)))
    expect(Math.min(...sizes), screen).toBeGreaterThanOrEqual(16)
  }
  const switches = page.getByRole('switch')
  const available = { available: true, reason: null }
  const sources = ['library', 'youtube'].map((source) => ({ source, ...available }))
  await page.route('**/api/sources', (route) => route.fulfill({ json: { sources } }))
  const screens = [
    [page, ['/', '/create-room', '/profile', '/spotify-test']],
    [await visitor.newPage(), ['/login', '/reset-password']],
  ] as const
  for (const [shown, paths] of screens) {
    for (const path of paths) {
      await shown.goto(path)
      await expectLarge(shown, path)
      if (path !== '/profile') continue
      await expect(switches).not.toHaveCount(0)
      expect(await targetHeights(switches)).toEqual([44])
    }
  }
  await openRoom(page, app.url, id)
  for (const tab of ['Find Music', 'Chat'] as const) {
    await openTab(page, tab)
    await expectLarge(page, tab)
  }
  for (const button of ['Invite', 'Room settings']) {
    await page.getByRole('button', { name: button }).first().click()
    await page.getByRole('dialog').waitFor()
    await expectLarge(page, button)
    if (button === 'Room settings') {
      await expect(switches).not.toHaveCount(0)
      expect(new Set(await targetHeights(switches))).toEqual(new Set([44]))
    }
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }

  await openTab(page, 'Find Music')
  const labels = page.getByRole('group', { name: 'Source' }).locator('label')
  await expect(labels).toHaveCount(2)
  expect(await targetHeights(labels)).toEqual([44, 44])

  await openTab(page, 'Chat')
  const chat = region(page, 'Chat')
  const field = chat.getByRole('textbox')
  for (const message of ['first', 'second']) {
    await field.tap()
    await field.fill(message)
    await field.press('Enter')
    await expect(field).toHaveValue(`${message}\n`)
    await chat.getByRole('button', { name: 'Send' }).tap()
    await expect(chat.getByText(message, { exact: true })).toBeVisible()
    await expect(field).toBeFocused()
  }
  await context.close()
  await visitor.close()
})

test('17.389 on a phone on its side no control lies under the notch, on either side', async ({
  app,
  browser,
}) => {
  const { page, context } = await openPerson(browser, app, 'nora', {
    viewport: { width: 844, height: 390 },
    hasTouch: true,
    isMobile: true,
  })
  const id = await createRoom(app, context, { name: 'Attic Tapes' })
  const session = await context.newCDPSession(page)
  const notchPx = 59
  await session.send('Emulation.setSafeAreaInsetsOverride', {
    insets: { left: notchPx, right: notchPx, bottom: 21 },
  })
  const expectClear = async (controls: Locator) => {
    await expect(controls).not.toHaveCount(0)
    for (const { left, right, width } of await controls.evaluateAll((each) =>
      each.map((control) => control.getBoundingClientRect().toJSON() as DOMRect),
    )) {
      // Those for screen readers alone are somewhere.
      if (width <= 1) continue
      // The area that can be pressed may reach a pixel further than the visible one.
      expect(left).toBeGreaterThanOrEqual(notchPx - 2)
      expect(right).toBeLessThanOrEqual(844 - notchPx + 2)
    }
  }
  const controls = page.getByRole('button').or(page.getByRole('link')).filter({ visible: true })
  await openRoom(page, app.url, id)
  await addFirstTracks(page, 2)
  await expectClear(page.getByRole('status').getByRole('button').or(controls))
  await openTab(page, 'Queue')
  await expectClear(controls)
  await press(page, 'Listen mode')
  await expectClear(page.locator('[data-listen-mode]').getByRole('button'))
  await page.locator('[data-listen-mode]').getByRole('button').click()
  await page.getByRole('link', { name: 'Explore Rooms' }).first().click()
  await expect(region(page, 'Mini player')).toBeVisible()
  await expectClear(controls)
  await context.close()
})

/** On how many of the 44 px round its middle each can be pressed. */
const targetHeights = (targets: Locator): Promise<number[]> =>
  targets.evaluateAll((each) =>
    each.map((target) => {
      target.scrollIntoView({ block: 'center' })
      const { left, top, width, height } = target.getBoundingClientRect()
      const x = left + width / 2
      const y = top + height / 2
      const offsets = Array.from({ length: 44 }, (_, index) => index - 21.5)
      return offsets.filter((offset) => target.contains(document.elementFromPoint(x, y + offset))).length
    }),
  )

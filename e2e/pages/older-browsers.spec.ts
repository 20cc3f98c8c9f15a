import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { listErrors } from '../support/page-events.ts'
import {
  nowPlaying,
  addFirstTracks,
  openRoom,
  openTab,
  press,
  region,
  waitUntilInSync,
} from '../support/room-page.ts'

/** Features that browsers have had since. */
const later = [
  'AbortSignal.any',
  'Array.fromAsync',
  'Document.prototype.startViewTransition',
  'Element.prototype.checkVisibility',
  'Element.prototype.moveBefore',
  ...['popover', 'hidePopover', 'showPopover', 'togglePopover'].map(
    (name) => `HTMLElement.prototype.${name}`,
  ),
  'Iterator',
  'Map.groupBy',
  'Object.groupBy',
  'Promise.try',
  'Promise.withResolvers',
  'RegExp.escape',
  ...['union', 'intersection', 'difference', 'isSubsetOf', 'isSupersetOf'].map(
    (name) => `Set.prototype.${name}`,
  ),
  'URL.canParse',
  'URL.parse',
]

const pages = [
  ['/', 'Available Rooms'],
  ['/explore', 'Explore Rooms'],
  ['/create-room', 'Create a New Room'],
  ['/profile', 'Profile'],
] as const

/** Takes parts of the platform away, by their names. */
function takeAway(names: readonly string[]): void {
  for (const name of names) {
    const path = name.split('.')
    const last = path.pop() ?? ''
    const holder = path.reduce<unknown>((value, part) => Reflect.get(value as object, part), globalThis)
    Reflect.deleteProperty(holder as object, last)
  }
}

/** Opens pages beside the room, and signs out. */
async function visitOthers(page: Page): Promise<void> {
  for (const [path, title] of pages) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: title }).first()).toBeVisible()
  }
  // A call that the logout overtakes would be refused.
  await expect(page.getByRole('button', { name: 'Edit your display name' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
}

// All that works in Safari, which lacks more, works in Chrome, but for the room, which sounds in another way.
for (const { does, browser, missing, goOn } of [
  { does: 'plays and chats', browser: 'Chrome', missing: later, goOn: null },
  {
    does: 'plays and chats, and pages open,',
    browser: 'Safari',
    missing: [...later, 'AudioDecoder', 'requestIdleCallback', 'scheduler'],
    goOn: visitOthers,
  },
]) {
  test(`17.328 a room ${does} in ${browser} of spring 2023`, async ({ app, owner, room }) => {
    const { page } = owner
    const errors = listErrors(page)
    await page.addInitScript(takeAway, missing)
    await openRoom(page, app.url, room.id)
    await addFirstTracks(page, 2)
    await press(page, 'Play')
    await waitUntilInSync(page)
    await openTab(page, 'Chat')
    const chat = region(page, 'Chat')
    await chat.getByRole('textbox').fill('Look: https://example.org/a')
    await page.keyboard.press('Enter')
    await expect(chat.getByRole('link', { name: 'https://example.org/a' })).toBeVisible()
    await press(page, 'Next track')
    await expect(chat.getByText(/skipped/)).toBeVisible()
    await expect(nowPlaying(page).getByText(/^In sync/)).toBeVisible()
    await goOn?.(page)
    expect(errors).toEqual([])
  })
}

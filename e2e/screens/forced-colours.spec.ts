import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { nowPlaying } from '../support/room-page.ts'

/** Opens a room in a contrast theme of the system, which takes away backgrounds, shadows and our colours. */
async function openWithContrast(page: Page, path: string): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(path)
  await expect(nowPlaying(page)).toBeVisible()
}

const styleOf = (element: Locator, name: string) =>
  element.evaluate((node, property) => getComputedStyle(node).getPropertyValue(property), name)

/** Expects an outline of some px. */
const expectOutline = (element: Locator, width: number) =>
  expect
    .poll(async () => [await styleOf(element, 'outline-style'), await styleOf(element, 'outline-width')])
    .toEqual(['solid', `${width}px`])

test('17.329 a contrast theme shows buttons, fields, what is chosen and what has the focus, and leaves what is drawn', async ({
  owner: { page },
  room,
}) => {
  await openWithContrast(page, room.path)
  const [queue, chat] = ['Queue', 'Chat'].map((name) => page.getByRole('tab', { name })) as [Locator, Locator]
  await chat.click()
  await expectOutline(queue, 1)
  await expectOutline(chat, 3)
  await page.getByRole('button', { name: 'Room settings' }).click()
  const field = page.getByLabel('Room Name')
  await expectOutline(field, 1)
  await field.focus()
  await expectOutline(field, 3)
  const [chosen, other] = ['Me, and somebody', 'Only me'].map((text) =>
    page.locator('label').filter({ hasText: text }),
  ) as [Locator, Locator]
  await expectOutline(chosen, 3)
  await expectOutline(other, 1)

  // Drawn shapes, such as the position, and the text of filled buttons.
  const drawn = nowPlaying(page).locator('.bg-ink').first()
  const canvas = await styleOf(page.locator('body'), 'background-color')
  expect(await styleOf(drawn, 'background-color')).not.toBe(canvas)
  await page.goto('/create-room')
  const create = page.getByRole('button', { name: 'Create Room', exact: true })
  expect(await styleOf(create, 'forced-color-adjust')).toBe('none')
  expect(await styleOf(create, 'color')).not.toBe(await styleOf(create, 'background-color'))
})

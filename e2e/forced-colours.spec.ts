import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { nowPlaying, openRoom } from './room-page.ts'

// A contrast theme of the system: it takes away backgrounds, shadows and our colours.
test.use({ forcedColors: 'active' })

const styleOf = (element: Locator, name: string, pseudo?: string) =>
  element.evaluate((node, [property, part]) => getComputedStyle(node, part).getPropertyValue(property), [
    name,
    pseudo,
  ] as const)
/** px; 0 where there is none. */
const outlineOf = async (element: Locator): Promise<number> =>
  (await styleOf(element, 'outline-style')) === 'none'
    ? 0
    : Number.parseFloat(await styleOf(element, 'outline-width'))

test('17.329 a contrast theme shows buttons, fields, what is chosen and what has the focus', async ({
  app,
  owner,
  room,
}) => {
  const { page } = owner
  await page.emulateMedia({ forcedColors: 'active' })
  await openRoom(page, app.url, room.id)
  const [queue, chat] = ['Queue', 'Chat'].map((name) => page.getByRole('tab', { name })) as [Locator, Locator]
  await chat.click()
  expect(await outlineOf(queue)).toBe(1)
  expect(await outlineOf(chat)).toBe(3)
  await page.getByRole('button', { name: 'Room settings' }).click()
  const field = page.getByLabel('Room Name')
  expect(await outlineOf(field)).toBe(1)
  await field.focus()
  expect(await outlineOf(field)).toBe(3)
  const [chosen, other] = ['Me, and somebody', 'Only me'].map((text) =>
    page.locator('label').filter({ hasText: text }),
  ) as [Locator, Locator]
  expect(await outlineOf(chosen)).toBe(3)
  expect(await outlineOf(other)).toBe(1)
})

test('17.329 a contrast theme leaves what is drawn: the position, the volume and the text of a button', async ({
  app,
  owner,
  room,
}) => {
  const { page } = owner
  await page.emulateMedia({ forcedColors: 'active' })
  await openRoom(page, app.url, room.id)
  const drawn = nowPlaying(page).locator('.bg-ink').first()
  const canvas = await styleOf(page.locator('body'), 'background-color')
  expect(await styleOf(drawn, 'background-color')).not.toBe(canvas)
  await page.goto(`${app.url}/create-room`)
  const create = page.getByRole('button', { name: 'Create Room', exact: true })
  expect(await styleOf(create, 'forced-color-adjust')).toBe('none')
  expect(await styleOf(create, 'color')).not.toBe(await styleOf(create, 'background-color'))
})

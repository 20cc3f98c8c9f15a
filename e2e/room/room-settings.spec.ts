import { expect, test } from '../support/fixtures.ts'
import { nowPlaying } from '../support/room-page.ts'

test('17.109 what a choice of the settings asks is in sight and has the focus', async ({ owner, room }) => {
  const { page } = owner
  // What is chosen is below the form, which would push it away.
  const form = Promise.withResolvers<void>()
  await page.route('**/assets/settings-form-*.js', async (route) => {
    await form.promise
    await route.continue()
  })
  await page.goto(room.path)
  await expect(nowPlaying(page)).toBeVisible()
  for (const [width, height] of [
    [390, 844],
    [844, 390],
    [1366, 768],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.getByRole('button', { name: 'Room settings' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeVisible()
    form.resolve()
    await expect(dialog.getByText('Hand over the room')).toBeVisible()
    expect(await dialog.getByRole('button', { name: 'Save' }).count()).toBe(1)
    for (const [choice, asked] of [
      ['Hand over the room', 'Nobody else with an account is in the room.'],
      ['Delete the room', `Delete “${room.name}”`],
    ] as const) {
      await dialog.getByText(choice, { exact: true }).click()
      await expect(dialog.getByText(asked)).toBeInViewport({ ratio: 1 })
      await expect(dialog.getByRole('group').filter({ hasText: asked }).locator(':focus')).toBeVisible()
    }
    await page.keyboard.press('Tab')
    await expect(dialog.getByRole('button', { name: `Delete “${room.name}”` })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
})

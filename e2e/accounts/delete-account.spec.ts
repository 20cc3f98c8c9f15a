import { makeAccount, signUp } from '../support/accounts.ts'
import { expect, test } from '../support/fixtures.ts'
import { createRoom } from '../support/rooms.ts'

test('16.25, 16.26 deleting an account signs out, and its rooms are gone for their members', async ({
  app,
  page,
  context,
  listener,
}) => {
  await signUp(app, context, makeAccount('ada'))
  const roomId = await createRoom(app, context, { name: 'Short-lived' })
  await listener.page.goto(`/room/${roomId}`)
  await expect(listener.page.getByRole('heading', { name: 'Short-lived' })).toBeVisible()
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Delete Account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByLabel('Your Password').fill('correct horse')
  const closed = expect(listener.page.getByText('“Short-lived” was closed')).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete Account' }).click()
  await Promise.all([closed, expect(page.getByText('Your account has been deleted')).toBeVisible()])
  await expect(page).toHaveURL(`${app.url}/`)
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await expect(listener.page).toHaveURL(`${app.url}/`)
})

import { expect, test } from './fixtures.ts'

test('17.18c, 17.102 where guests may not come, the door leads to login and back', async ({
  app,
  page,
  room,
}) => {
  await page.goto(app.url + room.path)
  await expect(
    page.getByText('Sign in to listen, or ask olivia for an invite link: it needs no account.'),
  ).toBeVisible()
  const signIn = page.getByRole('link', { name: 'Sign in', exact: true })
  await page.setViewportSize({ width: 844, height: 390 })
  await expect(signIn).toBeInViewport({ ratio: 1 })
  await signIn.click()
  await expect(page).toHaveURL(`${app.url}/login`)
  await expect(page.getByText('Please log in to join a room')).toBeVisible()
})

import { expect, test } from '../support/fixtures.ts'
import { nowPlaying } from '../support/room-page.ts'

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

test('17.236, 17.105 who was banned tries again, and is let in once the ban is lifted', async ({
  app,
  owner,
  listener,
  room,
}) => {
  const { page } = listener
  await page.goto(room.path)
  await expect(nowPlaying(page)).toBeVisible()
  const headers = { origin: app.publicUrl }
  const { request } = owner.context
  const session = await listener.context.request.get(`${app.url}/api/profile`)
  const { profile } = (await session.json()) as { profile: { id: string } }
  const ban = `${app.url}/api/rooms/${room.id}/bans/${profile.id}`
  await request.post(ban, { headers })
  const banned = page.getByRole('heading', { name: /^You are banned from/ })
  await expect(banned).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await expect(banned).toBeVisible()
  await request.delete(ban, { headers })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(nowPlaying(page)).toBeVisible()
})

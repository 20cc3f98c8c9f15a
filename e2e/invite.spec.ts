import { expect, test } from './fixtures.ts'
import { createRoom } from './rooms.ts'

test('6.4d, 17.18f an invite link of the owner admits to a private room without the password, until it is ended', async ({
  app,
  owner,
  listener,
}) => {
  const id = await createRoom(app, owner.context, {
    name: 'Cellar',
    isPublic: false,
    password: 'open sesame',
  })
  await owner.page.goto(`/room/${id}`)
  await owner.page.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = owner.page.getByRole('dialog', { name: 'Invite people' })
  await expect(dialog.getByText(/can join without the password until/)).toBeVisible()
  const link = await dialog.getByRole('textbox', { name: 'Link to this room' }).inputValue()
  expect(link).toMatch(new RegExp(`^${app.url}/room/${id}#invite=[\\w-]{22}$`))
  await expect(dialog.getByRole('figure', { name: 'QR code of the link' })).toBeVisible()
  await dialog.getByRole('button', { name: 'End all links' }).click()
  await expect(owner.page.getByText('Earlier links no longer work')).toBeVisible()

  await listener.page.goto(link)
  await expect(listener.page.getByRole('heading', { name: 'Cellar is private' })).toBeVisible()
  const field = dialog.getByRole('textbox', { name: 'Link to this room' })
  await expect(field).not.toHaveValue(link)
  await listener.page.goto('/')
  await listener.page.goto(await field.inputValue())
  await expect(listener.page.getByRole('heading', { name: 'Cellar', exact: true })).toBeVisible()

  // Admitted for good: the bare address is enough from now on, and shows a link that asks others for the password.
  await listener.page.goto(`/room/${id}`)
  await listener.page.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(listener.page.getByText(/is asked for the password/)).toBeVisible()
})

test('6.4d an invite link admits also where the visitor signs in first', async ({ app, owner, page }) => {
  const id = await createRoom(app, owner.context, {
    name: 'Cellar',
    isPublic: false,
    password: 'open sesame',
  })
  const answer = await owner.context.request.post(`${app.url}/api/rooms/${id}/invites`, {
    headers: { origin: app.url },
  })
  const { token } = (await answer.json()) as { token: string }
  await page.goto(`/room/${id}#invite=${token}`)
  await page.getByRole('link', { name: 'Create account' }).click()
  await page.getByLabel('Email').fill(`guest-${token.slice(0, 6)}@example.org`)
  await page.getByLabel('Password', { exact: true }).fill('sesame street')
  await page.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByRole('heading', { name: 'Cellar', exact: true })).toBeVisible()
})

test('6.4d, 17.18f an invite link for one person admits the first who joins with it', async ({
  app,
  owner,
  listener,
  page,
}) => {
  const id = await createRoom(app, owner.context, {
    name: 'Cellar',
    isPublic: false,
    password: 'open sesame',
  })
  await owner.page.goto(`/room/${id}`)
  await owner.page.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = owner.page.getByRole('dialog', { name: 'Invite people' })
  await dialog.getByRole('switch', { name: 'For one person' }).check()
  await expect(dialog.getByText(/The first person who joins with this link is admitted/)).toBeVisible()
  const link = await dialog.getByRole('textbox', { name: 'Link to this room' }).inputValue()
  await listener.page.goto(link)
  await expect(listener.page.getByRole('heading', { name: 'Cellar', exact: true })).toBeVisible()
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Cellar is private' })).toBeVisible()
})

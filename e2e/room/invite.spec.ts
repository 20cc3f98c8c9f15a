import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { createRoom } from '../support/rooms.ts'

const cellar = { name: 'Cellar', isPublic: false, password: 'open sesame' }

/** Opens a room's page and its invitation. */
async function openInvitation(page: Page, roomId: string): Promise<Locator> {
  await page.goto(`/room/${roomId}`)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  return page.getByRole('dialog', { name: 'Invite people' })
}

const linkIn = (dialog: Locator): Locator => dialog.getByRole('textbox', { name: 'Link to this room' })

test('6.4d, 17.18f an invite link of the owner admits to a private room without the password, until it is ended', async ({
  app,
  owner,
  listener,
}) => {
  const id = await createRoom(app, owner.context, cellar)
  const dialog = await openInvitation(owner.page, id)
  await expect(dialog.getByText(/can join without the password until/)).toBeVisible()
  const link = await linkIn(dialog).inputValue()
  expect(link).toMatch(new RegExp(`^${app.url}/room/${id}#invite=[\\w-]{22}$`))
  // The server of this test is reached at 127.0.0.1 only.
  await expect(dialog.getByText(/This link works on this computer only/)).toBeVisible()
  await dialog.getByRole('button', { name: 'End all links' }).click()
  await expect(owner.page.getByText('Earlier links no longer work')).toBeVisible()

  await listener.page.goto(link)
  await expect(listener.page.getByRole('heading', { name: 'Cellar is private' })).toBeVisible()
  await expect(linkIn(dialog)).not.toHaveValue(link)
  // Without a link it is the bare address.
  await expect(linkIn(dialog)).toHaveValue(/#invite=[\w-]{22}$/)
  await listener.page.goto('/')
  await listener.page.goto(await linkIn(dialog).inputValue())
  await expect(listener.page.getByRole('heading', { name: 'Cellar', exact: true })).toBeVisible()

  // Admitted for good: the bare address is enough from now on, and shows a link that asks others for the password.
  await openInvitation(listener.page, id)
  await expect(listener.page.getByText(/is asked for the password/)).toBeVisible()
})

test(
  '6.4d an invite link admits also where the visitor signs in first',
  { tag: '@long' },
  async ({ app, owner, page }) => {
    const id = await createRoom(app, owner.context, cellar)
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
  },
)

test('6.4d, 17.18f an invite link for one person admits the first who joins with it', async ({
  app,
  owner,
  listener,
  page,
}) => {
  const id = await createRoom(app, owner.context, cellar)
  const dialog = await openInvitation(owner.page, id)
  await dialog.getByRole('switch', { name: 'For one person' }).check()
  await expect(dialog.getByText(/The first person who joins with this link is admitted/)).toBeVisible()
  const link = await linkIn(dialog).inputValue()
  await listener.page.goto(link)
  await expect(listener.page.getByRole('heading', { name: 'Cellar', exact: true })).toBeVisible()
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Cellar is private' })).toBeVisible()
})

test('17.314 on screens of 1024 px and more a notice lies beside the dialog that is open', async ({
  owner,
  room,
}) => {
  const { page } = owner
  const dialog = await openInvitation(page, room.id)
  await page.context().grantPermissions(['clipboard-write'])
  const notices = page.getByRole('region', { name: 'Notifications' })
  for (const width of [1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await dialog.getByRole('button', { name: 'Copy link' }).click()
    // Under the pointer it stays.
    await notices.getByText('Link copied').hover()
    await expect(async () => {
      const [notice, popup] = await Promise.all([notices.boundingBox(), dialog.boundingBox()])
      expect(notice!.height).toBeGreaterThan(40)
      expect(notice!.y + notice!.height).toBeGreaterThan(popup!.y)
      expect(notice!.x).toBeGreaterThanOrEqual(popup!.x + popup!.width)
      expect(notice!.x + notice!.width).toBeLessThanOrEqual(width)
    }).toPass({ timeout: 30_000 })
  }
})

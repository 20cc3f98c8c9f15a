import { makeAccount } from '../support/accounts.ts'
import { expect, test } from '../support/fixtures.ts'
import { openMembers, openTab, region } from '../support/room-page.ts'

test('17.490, 17.459 a guest who makes an account is no guest for others, and has left once it is deleted', async ({
  app,
  owner,
  room,
  page,
}) => {
  const answer = await owner.context.request.post(`${app.url}/api/rooms/${room.id}/invites`, {
    headers: { origin: app.url },
  })
  const { token } = (await answer.json()) as { token: string }
  await page.goto(`/room/${room.id}#invite=${token}`)
  await page.getByLabel('Your name').fill('Theo')
  await page.getByRole('button', { name: 'Listen' }).click()
  await openTab(page, 'Chat')
  const message = region(page, 'Chat').getByRole('textbox', { name: 'Message' })
  await message.fill('Hello')
  await message.press('Enter')

  await owner.page.goto(room.path)
  await openTab(owner.page, 'Chat')
  const chat = region(owner.page, 'Chat')
  await expect(chat.getByText('Guest', { exact: true })).toBeVisible()
  const members = await openMembers(owner.page)
  await expect(members.getByText('Guest', { exact: true })).toBeVisible()

  const account = makeAccount('theo')
  await page.getByRole('link', { name: 'Sign In' }).first().click()
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await expect(page.getByRole('heading', { name: room.name })).toBeVisible()
  await expect(members.getByText('Guest', { exact: true })).toHaveCount(0)
  await expect(members.getByText('Theo')).toBeVisible()
  await expect(chat.getByText('Guest', { exact: true })).toHaveCount(0)
  await expect(chat.getByText('Theo', { exact: true })).toBeVisible()

  await page.context().request.post(`${app.url}/api/account/delete`, {
    headers: { origin: app.url },
    data: { password: account.password },
  })
  await expect(members.getByText('Theo')).toHaveCount(0)
  await expect(chat.getByText('Unknown', { exact: true })).toBeVisible()
  await expect(chat.getByText('Theo left')).toBeVisible()
})

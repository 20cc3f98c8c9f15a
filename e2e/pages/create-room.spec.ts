import { expect, test } from '../support/fixtures.ts'

test.beforeEach(({ owner }) => owner.page.goto('/create-room'))

test('2.3, 2.29a, 2.29c, 2.29d, 5.2b a public room needs a name and has a source that this server offers', async ({
  owner: { page },
}) => {
  await expect(page.getByRole('heading', { name: 'Create a New Room' })).toBeVisible()
  await expect(page.getByText('Anyone can join')).toBeVisible()
  await expect(page.getByText('Password protected')).toBeVisible()
  await expect(page.getByText(/responsible for the content/)).toBeVisible()

  await expect(page.getByText('Preferred Music Source')).toBeVisible()
  await expect(page.getByText('You can still use both sources, this just sets the default')).toBeVisible()
  await expect(page.getByRole('radio', { name: /Library/ })).toBeChecked()
  await expect(page.getByRole('radio', { name: /Spotify/ })).toHaveCount(0)
  // Pasted links work without a key.
  await expect(page.getByRole('radio', { name: /YouTube/ })).toBeEnabled()

  const name = page.getByPlaceholder('My Awesome Music Room')
  const create = page.getByRole('button', { name: 'Create Room' })
  await name.fill('   ')
  await create.click()
  await expect(page.getByText('Room name required').first()).toBeVisible()
  await expect(page.getByText('Please enter a name for your room').first()).toBeVisible()
  await expect(page).toHaveURL(/\/create-room$/)

  await name.fill('  Sunday Records  ')
  await create.click()
  await expect(page).toHaveURL(/\/room\/[\w-]+$/)
  await expect(page.getByRole('heading', { name: 'Sunday Records' })).toBeVisible()
})

test('2.29b, 5.2c a private room asks for a password, with a toggle that shows it', async ({
  owner: { page },
}) => {
  await expect(page.getByLabel('Room Password')).toBeHidden()
  await page.getByText('Password protected').click()
  const password = page.getByLabel('Room Password')
  await expect(password).toHaveAttribute('type', 'password')
  await expect(page.getByText('Share this password with people you want to invite')).toBeVisible()
  await page.getByPlaceholder('My Awesome Music Room').fill('Cellar')
  await page.getByRole('button', { name: 'Create Room' }).click()
  await expect(page.getByText('Password required').first()).toBeVisible()
  await expect(page.getByText('Private rooms require a password').first()).toBeVisible()
  await password.fill('open sesame')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Create Room' }).click()
  await expect(page.getByRole('heading', { name: 'Cellar' })).toBeVisible()
})

test('8.10 a failure to create the room is reported, and the button works again', async ({
  owner: { page },
}) => {
  await page.route('**/api/rooms', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'broken' } } })
      : route.continue(),
  )
  await page.getByPlaceholder('My Awesome Music Room').fill('Nope')
  await page.getByRole('button', { name: 'Create Room' }).click()
  await expect(page.getByText('Failed to create room. Please try again.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create Room' })).toBeEnabled()
  await expect(page.getByPlaceholder('My Awesome Music Room')).toHaveValue('Nope')
})

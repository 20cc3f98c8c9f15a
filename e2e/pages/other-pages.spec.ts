import { expect, test } from '../support/fixtures.ts'
import { pausePageClock } from '../support/page-clock.ts'

test(
  '2.8, 2.36, 5.10, 8.15 the authorisation-link page needs both inputs, builds a link and copies it',
  { tag: '@long' },
  async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/spotify-test')
    const clientId = page.getByLabel('Client ID')
    const redirectUri = page.getByLabel('Redirect URI')
    const generate = page.getByRole('button', { name: 'Generate Auth URL' })
    await clientId.fill(' ')
    await redirectUri.fill('')
    await generate.click()
    await expect(page.getByText('Client ID is required')).toBeVisible()
    await expect(page.getByText('Redirect URI is required')).toBeVisible()
    await clientId.fill('abc')
    await redirectUri.fill('javascript:alert(1)')
    await generate.click()
    await expect(page.getByText('Failed to generate auth URL')).toBeVisible()
    await redirectUri.fill('http://127.0.0.1:3000/callback')
    await generate.click()
    const link = page.getByText(/^https:\/\/accounts\.spotify\.com\/authorize\?/)
    await expect(link).toBeVisible()
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await expect(page.getByText('Auth URL copied')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await link.textContent())
    await expect(page.getByRole('button', { name: 'Open Auth URL' })).toBeEnabled()
  },
)

test(
  '2.9b, 5.9 the callback has neither navigation nor top padding, and needs a code',
  { tag: '@long' },
  async ({ owner: { page } }) => {
    await page.goto('/callback')
    await expect(page.getByText('No authorization code received from Spotify').first()).toBeVisible()
    await expect(page.getByRole('banner')).toHaveCount(0)
    await expect(page.getByRole('navigation')).toHaveCount(0)
    expect(await page.getByRole('main').evaluate((main) => getComputedStyle(main).paddingTop)).toBe('0px')
    await page.getByRole('link', { name: 'Return to Profile' }).click()
    await expect(page).toHaveURL(/\/profile$/)
    await expect(page.getByRole('banner')).toBeVisible()
  },
)

test(
  '2.10e, 2.11b the top bar leads to Explore Rooms, its avatar menu and the hero to the profile',
  { tag: '@long' },
  async ({ owner: { page } }) => {
    await page.goto('/')
    await page.getByRole('banner').getByRole('link', { name: 'Explore Rooms' }).click()
    await expect(page).toHaveURL(/\/explore$/)
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Profile' }).click()
    await expect(page).toHaveURL(/\/profile$/)
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await page.getByRole('main').getByRole('link', { name: 'My Profile' }).click()
    await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible()
  },
)

test('17.99 the name of a new room keeps the focus when the avatar menu, which led there, has closed', async ({
  owner: { page },
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/create-room')
  await page.getByRole('banner').getByRole('link', { name: 'Explore Rooms' }).click()
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Create Room' }).click()
  const name = page.getByRole('textbox', { name: 'Room Name' })
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(name).toBeFocused()
})

test(
  '2.39a, 9.23 a page that is hosted apart lists what it uses in place of settings, for 10 s',
  { tag: '@long' },
  async ({ page }) => {
    // As a file server sends it: without the data that Earshot's own server writes into it.
    await page.route('**/', async (route) => {
      const response = await route.fetch()
      const html = (await response.text()).replace(/<script type="application\/json".*?<\/script>/, '')
      await route.fulfill({ response, body: html })
    })
    const clock = await pausePageClock(page)
    await page.goto('/')
    const notice = page.getByRole('complementary', { name: 'Environment' })
    await clock.advanceUntil(() => notice.getByText('Socket server URL').isVisible(), 5_000)
    await expect(notice.getByText('Fallback values in use')).toBeVisible()
    await expect(notice.getByRole('link', { name: 'Setup documentation' })).toBeVisible()
    const shownAtMs = clock.elapsedMs
    await clock.advanceUntil(() => notice.getByText('Socket server URL').isHidden(), 12_000)
    expect(clock.elapsedMs - shownAtMs).toBeGreaterThan(9_000)
    await notice.getByRole('button', { name: 'Open the environment notice' }).click()
    await expect(notice.getByText('Socket server URL')).toBeVisible()
  },
)

import { spotifySettings, youtubeSettings } from '@earshot/provider-doubles/server-settings'
import { defaultApiKey } from '@earshot/provider-doubles/youtube/youtube-double'
import type { Page } from '@playwright/test'
import { expect, test as base, type Person } from '../support/fixtures.ts'
import { nowPlaying, region } from '../support/room-page.ts'

/** A server with doubles of Spotify and YouTube, and with Google's sign-in. */
const test = base.extend({
  serverEnv: ({ spotify, youtube }, provide) =>
    provide({
      ...spotifySettings(spotify),
      ...youtubeSettings(youtube, defaultApiKey),
      GOOGLE_CLIENT_ID: 'google-client',
      GOOGLE_CLIENT_SECRET: 'google-secret',
    }),
})

// In one worker: each starts a server.
test.describe.configure({ mode: 'default' })

const connectedText = 'Successfully connected to Spotify!'

/** Goes from the profile to the consent page and answers it. Resolves to the address that Spotify returned to. */
async function answerConsent({ page }: Person, answer: 'Agree' | 'Cancel'): Promise<string> {
  await page.goto('/profile')
  await region(page, 'Spotify').getByRole('button', { name: 'Connect', exact: true }).click()
  const returned = page.waitForRequest((request) => new URL(request.url()).pathname === '/callback')
  await page.getByRole('button', { name: answer }).click()
  return (await returned).url()
}

const expectFailure = async (page: Page, message: string) => {
  await expect(page.getByText('Error connecting to Spotify')).toBeVisible()
  await expect(page.getByText(message)).toBeVisible()
  await expect(page).toHaveURL(/\/callback$/)
}

test('1.3, 2.6, 2.33a, 2.35a, 2.35b, 8.12a, 9.21 an account is connected, and disconnected again', async ({
  owner,
  app,
}) => {
  const { page } = owner
  const posts: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/spotify/callback'))
      posts.push(request.url())
  })
  // Two seconds after the answer the page is the profile.
  const looked = Promise.withResolvers<void>()
  await page.route('**/api/spotify/callback', async (route) => {
    await looked.promise
    await route.continue()
  })
  await answerConsent(owner, 'Agree')
  await expect(page.getByRole('heading', { name: 'Connecting to Spotify' })).toBeVisible()
  await expect(page.getByText('Authentication Logs')).toBeVisible()
  // Waits in the page, which shows it for 2 s only.
  const said = page.getByText(connectedText).first().waitFor()
  const notified = page.getByText('Spotify connected', { exact: true }).first().waitFor()
  looked.resolve()
  await Promise.all([said, notified])
  await expect(page).toHaveURL(`${app.url}/profile`)
  const spotify = region(page, 'Spotify')
  await expect(spotify.getByText('Connected', { exact: true })).toBeVisible()
  await expect(spotify.getByText(/^Connected as Paula/)).toBeVisible()
  expect(posts).toHaveLength(1)
  await page.reload()
  await spotify.getByRole('button', { name: 'Disconnect' }).click()
  await expect(spotify.getByText('Not Connected')).toBeVisible()
})

test(
  '17.453 on the way back from Spotify the visit to a room goes on',
  { tag: '@long' },
  async ({ owner, room }) => {
    const { page } = owner
    await page.goto(room.path)
    await expect(nowPlaying(page)).toBeVisible()
    await answerConsent(owner, 'Agree')
    await expect(page).toHaveURL(/\/callback/)
    await expect(page).toHaveURL(/\/profile$/)
    await expect(region(page, 'Mini player').getByText(room.name)).toBeVisible()
  },
)

test('8.7b a denied consent connects nothing', { tag: '@long' }, async ({ owner }) => {
  const { page } = owner
  await answerConsent(owner, 'Cancel')
  await expectFailure(page, 'Spotify authorization error: access_denied')
  await page.getByRole('link', { name: 'Return to Profile' }).click()
  await expect(region(page, 'Spotify').getByText('Not Connected')).toBeVisible()
})

test(
  "15.11, 8.7b a forged, a replayed and somebody else's state are refused",
  { tag: '@long' },
  async ({ owner, listener }) => {
    const { page } = owner
    await page.goto('/callback?code=forged-code&state=forged-state')
    await expectFailure(page, 'Failed to authenticate with Spotify. See logs for details.')

    const returned = await answerConsent(owner, 'Agree')
    await expect(page).toHaveURL(/\/profile$/)
    for (const { page: other } of [owner, listener]) {
      await other.goto(returned)
      await expectFailure(other, 'Failed to authenticate with Spotify. See logs for details.')
      await expect(other.getByRole('listitem').filter({ hasText: 'could not connect Spotify' })).toBeVisible()
      expect(await other.content()).not.toContain(new URL(returned).searchParams.get('code'))
      // A reload has no code any more, so it cannot post it again.
      await other.reload()
      await expectFailure(other, 'No authorization code received from Spotify')
    }
    await page.goto('/profile')
    await expect(region(page, 'Spotify').getByText('Connected', { exact: true })).toBeVisible()
    await listener.page.goto('/profile')
    await expect(region(listener.page, 'Spotify').getByText('Not Connected')).toBeVisible()
  },
)

test(
  '8.1c, 8.12a, 2.30d signed out, neither the callback nor the login page connects',
  { tag: '@long' },
  async ({ page }) => {
    await page.goto('/callback?code=a-code&state=a-state')
    await expectFailure(page, 'You must be logged in to connect to Spotify')
    await page.goto('/login')
    await page.getByRole('button', { name: 'Connect Spotify' }).click()
    await expect(page.getByText('Failed to connect Spotify')).toBeVisible()
    await expect(page.getByText('You must be logged in to connect to Spotify')).toBeVisible()
  },
)

test('2.30e with Google configured, its button leads to Google', { tag: '@long' }, async ({ page, app }) => {
  const opened: URL[] = []
  await page.route('https://accounts.google.com/**', (route) => {
    opened.push(new URL(route.request().url()))
    return route.fulfill({ body: 'Sign in at Google' })
  })
  await page.goto('/login')
  await page.getByRole('button', { name: 'Google' }).click()
  await expect(page.getByText('Sign in at Google')).toBeVisible()
  expect(opened[0]?.searchParams.get('client_id')).toBe('google-client')
  expect(opened[0]?.searchParams.get('redirect_uri')).toBe(`${app.url}/api/auth/callback/google`)
})

test("2.33b, 8.8, 8.12b YouTube is connected with the server's key; a wrong key of one's own is refused", async ({
  owner: { page, context },
}) => {
  await context.route('https://www.youtube.com/**', (route) => route.fulfill({ body: 'A video' }))
  await page.goto('/profile')
  const youtube = region(page, 'YouTube')
  await youtube.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(youtube.getByText('Verified with sample results:')).toBeVisible()
  await expect(page.getByText('Successfully connected to YouTube Data API')).toBeVisible()
  await expect(youtube.getByText('Connected', { exact: true })).toBeVisible()
  const opened = context.waitForEvent('page')
  await youtube
    .getByRole('button', { name: /^Open / })
    .first()
    .click()
  await expect((await opened).getByText('A video')).toBeVisible()

  await youtube.getByLabel('Your own API key (optional)').fill('not-a-key')
  await youtube.getByRole('button', { name: 'Test Connection' }).click()
  await expect(youtube.getByText('Connection Error:')).toBeVisible()
  await expect(youtube.getByRole('alert')).toContainText('Invalid API key')
  await page.reload()
  await expect(youtube.getByText('Connected', { exact: true })).toBeVisible()
  await expect(youtube.getByRole('meter', { name: 'Searches today' })).toHaveAttribute('value', '0')
  await youtube.getByRole('button', { name: 'Disconnect' }).click()
  await expect(youtube.getByText('Not Connected')).toBeVisible()
})

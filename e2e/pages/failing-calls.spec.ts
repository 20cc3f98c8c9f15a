import type { Page, Route } from '@playwright/test'
import { findLowContrast } from '../support/contrast.ts'
import { longPatienceMs, patienceMs, strideMs } from '../support/failing-call.ts'
import { expect, test } from '../support/fixtures.ts'
import { pausePageClock, type PageClock } from '../support/page-clock.ts'
import { leaveRoom, nowPlaying, openRoom, openTab, press, region } from '../support/room-page.ts'
import { addTracks } from '../support/rooms.ts'

/** How a call fails. */
const failures: Record<string, (route: Route) => Promise<void>> = {
  hangs: () => Promise.resolve(),
  'fails with 500': (route) =>
    route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'broken' } } }),
  'has no network': (route) => route.abort(),
}

interface Failing {
  clock: PageClock
  /** Lets the call fail from now on. */
  fail: () => Promise<void>
}

/** Pauses the clock of a page on which calls to some addresses are going to fail. */
async function prepare(page: Page, path: RegExp, failure: (route: Route) => Promise<void>): Promise<Failing> {
  const clock = await pausePageClock(page, path)
  const fail = async () => {
    await page.route(path, failure)
  }
  return { clock, fail }
}

for (const [name, failure] of Object.entries(failures)) {
  test(
    `12.2 a sign-in ${name}: an error, and the button works again`,
    // The library that signs in hears of a lost network in its own way.
    { tag: name === 'fails with 500' ? '@long' : [] },
    async ({ page }) => {
      const { clock, fail } = await prepare(page, /\/api\/auth\/sign-in/, failure)
      await fail()
      await page.goto('/login')
      await clock.advanceUntil(() => page.getByLabel('Email').isVisible(), 5_000)
      await page.getByLabel('Email').fill('ann@example.com')
      await page.getByLabel('Password', { exact: true }).fill('correct horse')
      await page.getByRole('button', { name: 'Sign In', exact: true }).click()
      await clock.advanceUntil(() => page.getByText('Login failed').isVisible(), longPatienceMs, strideMs)
      await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled()
    },
  )

  // For the other reasons, with the same texts: unit tests have them.
  test.describe(`12.2 a call that ${name}`, { tag: name === 'hangs' ? [] : '@long' }, () => {
    test(
      `12.2 the list of rooms ${name}: an error with Refresh`,
      { tag: '@long' },
      async ({ page, room }) => {
        const { clock, fail } = await prepare(page, /\/api\/rooms$/, failure)
        await fail()
        await page.goto('/')
        const refresh = page.getByRole('button', { name: 'Refresh' })
        await clock.advanceUntil(() => refresh.isVisible(), patienceMs, strideMs)
        await expect(page.getByText('Error loading rooms').first()).toBeVisible()
        await page.unrouteAll()
        await refresh.click()
        await clock.advanceUntil(() => page.getByText(room.name).isVisible(), 5_000)
      },
    )

    test(`12.2 the creation of a room ${name}: an error, and the button works again`, async ({
      owner: { page },
    }) => {
      const { clock, fail } = await prepare(page, /\/api\/rooms$/, failure)
      await page.goto('/create-room')
      await clock.advanceUntil(() => page.getByLabel('Room Name').isVisible(), 5_000)
      await fail()
      await page.getByLabel('Room Name').fill('Attic')
      const submit = page.getByRole('main').getByRole('button', { name: 'Create Room' })
      await submit.click()
      await clock.advanceUntil(
        () => page.getByText('Failed to create room. Please try again.').isVisible(),
        patienceMs,
        strideMs,
      )
      await expect(submit).toBeEnabled()
    })

    test(`12.2 adding a track ${name}: it is taken back, and the page can be left meanwhile`, async ({
      owner: { page },
      room,
    }) => {
      const { clock, fail } = await prepare(page, /\/api\/rooms\/[^/]+\/queue$/, failure)
      await page.goto(room.path)
      const find = region(page, 'Find Music')
      const add = find.getByRole('button', { name: /^Add .* to the queue$/ }).first()
      await clock.advanceUntil(() => add.isVisible(), 10_000)
      await add.click()
      await clock.advanceUntil(() => page.getByText('Track Added').isVisible(), 5_000)
      await fail()
      await add.click()
      await clock.advanceUntil(
        () => page.getByText('Could not add track to queue.').isVisible(),
        patienceMs,
        strideMs,
      )
      await openTab(page, 'Queue')
      await expect(region(page, 'Queue').getByText('Queue is empty')).toBeVisible()
      await openTab(page, 'Find Music')
      await add.click()
      await leaveRoom(page)
      await clock.advanceUntil(() => page.getByText('Available Rooms').isVisible(), 2_000)
    })

    test(
      `12.2 a search ${name}: an error with Try again`,
      { tag: '@long' },
      async ({ owner: { page }, room }) => {
        const { clock, fail } = await prepare(page, /\/api\/tracks\?/, failure)
        await page.goto(room.path)
        const search = page.getByPlaceholder('Search for music...')
        await clock.advanceUntil(() => search.isVisible(), 10_000)
        await fail()
        await search.fill('earshot')
        await search.press('Enter')
        const retry = region(page, 'Find Music').getByRole('button', { name: 'Try again' })
        await clock.advanceUntil(() => retry.isVisible(), patienceMs, strideMs)
        await page.unrouteAll()
        await retry.click()
        await clock.advanceUntil(() => page.getByText('Results - Click + to add to queue').isVisible(), 5_000)
      },
    )

    test(`12.3c reading the session ${name}: a signed-in user stays, and a page without one offers Try again`, async ({
      owner: { page },
      room,
    }) => {
      const { clock, fail } = await prepare(page, /\/get-session/, failure)
      await fail()
      await page.goto(room.path)
      await clock.advanceUntil(() => page.getByText('Authentication Error').isVisible(), patienceMs, strideMs)
      await clock.advanceUntil(() => page.getByRole('heading', { name: room.name }).isVisible(), 5_000)

      await page.route(new RegExp(`${room.path}$`), async (route) => {
        const response = await route.fetch()
        const html = (await response.text()).replace(/,"user":\{.*?\}/, '')
        await route.fulfill({ response, body: html })
      })
      await page.evaluate(() => sessionStorage.clear())
      await page.reload()
      const retry = page.getByRole('button', { name: 'Try again' })
      await clock.advanceUntil(() => retry.isVisible(), patienceMs, strideMs)
      await expect(page.getByText('Your sign-in could not be checked')).toBeVisible()
      await page.unrouteAll()
      await retry.click()
      await clock.advanceUntil(() => page.getByRole('heading', { name: room.name }).isVisible(), 10_000)
    })
  })
}

test("12.8 a page's code that fails to load is loaded again", async ({ page }) => {
  let failed = 0
  const clock = await pausePageClock(page)
  await page.route('**/assets/login-page-*.js', (route) => {
    failed += 1
    return failed <= 2 ? route.abort() : route.continue()
  })
  await page.goto('/')
  await page.getByRole('link', { name: 'Sign In' }).click()
  await clock.advanceUntil(() => page.getByText('Music is better together').isVisible(), 10_000)
  expect(failed).toBe(3)
})

test('17.87 a page whose code could not be loaded is loaded when asked again, or opened again', async ({
  page,
}) => {
  const clock = await pausePageClock(page)
  const broken = page.getByText('This part could not be loaded')
  const lose = async () => {
    await page.route('**/assets/login-page-*.js', (route) => route.abort())
    await page.getByRole('link', { name: 'Sign In' }).click()
    await clock.advanceUntil(() => broken.isVisible(), 10_000)
    await page.unrouteAll()
  }
  await page.goto('/')
  await lose()
  await page.getByRole('link', { name: 'Explore Rooms' }).first().click()
  await expect(page.getByRole('heading', { name: 'Explore Rooms', level: 1 })).toBeVisible()
  await page.getByRole('link', { name: 'Sign In' }).click()
  await clock.advanceUntil(() => page.getByText('Music is better together').isVisible(), 10_000)
  await page.goto('/')
  await lose()
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
  await clock.advanceUntil(() => page.getByText('Music is better together').isVisible(), 10_000)
})

test('17.87 where the people round the cover, and the settings of a room, cannot be loaded, they say so, legibly, and can be tried again, and the room stays', async ({
  app,
  owner: { page, context },
  room,
}) => {
  await context.route(/\/api\/tracks\/.*\/art/, (route) =>
    route.fulfill({
      contentType: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><rect width="600" height="600" fill="#fff"/></svg>',
    }),
  )
  await page.route('**/assets/people-ring-*.js', (route) => route.abort())
  await page.route('**/assets/settings-form-*.js', (route) => route.abort())
  await page.setViewportSize({ width: 1440, height: 900 })
  await openRoom(page, app.url, room.id)
  await addTracks(app, context, room.id, ['Neon Harbour'])
  const alert = nowPlaying(page).getByRole('alert')
  await expect(alert).toBeVisible()
  await expect.poll(() => findLowContrast(page, alert)).toEqual([])
  await page.unroute('**/assets/people-ring-*.js')
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(nowPlaying(page).getByRole('button', { name: 'Invite people' })).toBeVisible()
  await expect(alert).toBeHidden()

  await page.getByRole('button', { name: 'Room settings' }).click()
  const retry = page.getByRole('dialog').getByRole('button', { name: 'Try again' })
  await expect(retry).toBeVisible()
  await page.unroute('**/assets/settings-form-*.js')
  await retry.click()
  await expect(page.getByRole('textbox', { name: 'Room Name' })).toHaveValue(room.name)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: room.name })).toBeVisible()
})

test('17.452 a room says on every page that its sound cannot be loaded while the server answers with an error, and then plays', async ({
  app,
  owner: { page, context },
  room,
}) => {
  await page.route(/\/api\/tracks\/.*\/(audio|stream)/, (route) => route.fulfill({ status: 503 }))
  await openRoom(page, app.url, room.id)
  await addTracks(app, context, room.id, Array<string>(5).fill('Neon Harbour'))
  await press(page, 'Play')
  const failed = page.getByText('The sound could not be loaded').filter({ visible: true })
  await expect(failed.first()).toBeVisible()
  await expect(page.getByText('The sound is slow to load')).toBeHidden()
  await page.getByRole('link', { name: 'Explore Rooms' }).first().click()
  await expect(page.getByRole('heading', { name: 'Explore Rooms', level: 1 })).toBeVisible()
  await expect(failed.first()).toBeVisible()
  await page.unrouteAll()
  await expect(failed).toHaveCount(0)
})

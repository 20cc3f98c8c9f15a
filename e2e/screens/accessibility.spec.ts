import { findProblems } from '../support/axe.ts'
import { expect, openPerson, test } from '../support/fixtures.ts'
import { addFirstTracks, openTab } from '../support/room-page.ts'

const screens = ['/', '/create-room']
/** Of a few parts each, which other screens have too: one that does not exist, and the code of the first administrator. */
const rareScreens = ['/room/nowhere', '/nowhere', '/admin']

const sampleTrack = { artist: 'Lanterns', album: '', source: 'youtube', albumArt: null, album_art: null }
const samplePlaylist = {
  kind: 'playlist',
  page: {
    playlist: {
      id: 'PL1',
      source: 'youtube',
      name: 'Rainy Sunday',
      trackCount: 3,
      image: null,
      ownerName: 'ann',
    },
    tracks: [
      { ...sampleTrack, id: 'youtube:v1', title: 'Night Ferry', duration: 200_000 },
      {
        ...sampleTrack,
        id: 'youtube:v2',
        title: 'Live from the Quay',
        duration: 200_000,
        restriction: 'live',
      },
    ],
    skipped: [{ title: 'Deleted video', reason: 'No longer available' }],
    nextCursor: null,
  },
}

for (const { name, paths, tag } of [
  { name: 'screens of an account', paths: screens, tag: [] },
  { name: 'rare screens of an account', paths: rareScreens, tag: '@long' },
]) {
  test(`the ${name} have no accessibility violations`, { tag }, async ({ owner: { page } }) => {
    for (const path of paths) {
      await page.goto(path)
      expect.soft(await findProblems(page), path).toEqual([])
    }
  })
}

test(`a room and what opens in it have no accessibility violations`, async ({ owner: { page }, room }) => {
  await page.route('**/api/links', (route) => route.fulfill({ json: { target: samplePlaylist } }))
  await page.goto(room.path)
  await addFirstTracks(page, 2)
  expect.soft(await findProblems(page), 'room').toEqual([])

  await openTab(page, 'Queue')
  await page
    .getByRole('button', { name: /^More for/ })
    .first()
    .click()
  await expect(page.getByRole('menu')).toBeVisible()
  expect.soft(await findProblems(page), 'menu of a queued track').toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()

  await openTab(page, 'Find Music')
  const box = page.getByRole('searchbox', { name: 'Search for music' })
  await box.fill('https://www.youtube.com/playlist?list=PL1')
  await box.press('Enter')
  const preview = page.getByRole('dialog', { name: 'Rainy Sunday' })
  await preview.getByRole('checkbox').first().waitFor()
  expect.soft(await findProblems(page), 'preview of a playlist').toEqual([])
  await page.keyboard.press('Escape')
  await expect(preview).toBeHidden()

  await page.getByRole('button', { name: 'Show Debug Tools' }).click()
  await page.getByRole('button', { name: 'Debug', exact: true }).click()
  expect.soft(await findProblems(page), 'debug tools').toEqual([])
  for (const tab of await page.getByRole('tablist').getByRole('tab').all()) {
    await tab.click()
    expect.soft(await findProblems(page, '[role=tabpanel]'), await tab.innerText()).toEqual([])
  }
  await page.getByRole('button', { name: /^Your sync/ }).click()
  await expect(page.getByRole('dialog', { name: 'Sync' })).toBeVisible()
  expect(await findProblems(page, '[role=dialog]'), 'sync').toEqual([])
})

test(
  `what opens on the profile has no accessibility violations`,
  { tag: '@long' },
  async ({ owner: { page } }) => {
    await page.goto('/profile')
    for (const button of ['Change Password', 'Delete Account']) {
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('dialog').waitFor()
      expect(await findProblems(page)).toEqual([])
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
  },
)

test(`the door of a room has no accessibility violations`, async ({ page, room }) => {
  await page.goto(room.path)
  expect(await findProblems(page)).toEqual([])
})

test(`the screens of visitors have no accessibility violations`, async ({ page }) => {
  for (const path of ['/login', '/reset-password', '/reset-password#token']) {
    // From another document: to go to the same one with another fragment would not load it.
    await page.goto('about:blank')
    await page.goto(path)
    expect.soft(await findProblems(page), path).toEqual([])
  }
})

for (const locale of ['de', 'ar']) {
  test(
    `home, a room and the profile have no accessibility violations in ${locale}`,
    { tag: '@long' },
    async ({ browser, app, room }) => {
      const { context, page } = await openPerson(browser, app, 'mina', { locale })
      for (const path of ['/', room.path, '/profile']) {
        await page.goto(path)
        await expect(page.locator('html')).toHaveAttribute('lang', locale)
        expect(await findProblems(page)).toEqual([])
      }
      await context.close()
    },
  )
}

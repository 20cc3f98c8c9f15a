import { serveNewerPage } from '../support/newer-page.ts'
import type { Page } from '@playwright/test'
import { button, chooseTab, escape, type OpenViewer, type PictureState } from './picture-state.ts'

/** States that pass, or that a failure brings. The server's answers are replaced where that is the shortest way. */

const never = (): Promise<void> => new Promise(() => undefined)
const addressOf = (page: Page): string => new URL(page.url()).origin
const unroute = (page: Page): Promise<void> => page.unrouteAll({ behavior: 'ignoreErrors' })

async function reloadWithout(page: Page, files: string): Promise<void> {
  await page.route(files, never)
  await page.reload({ waitUntil: 'commit' })
}

/** Calls the API for the room of a page, as its owner. */
async function callAsOwner<Answer>(page: Page, open: OpenViewer, call: string): Promise<Answer> {
  const owner = await open('owner')
  const { origin, pathname } = new URL(page.url())
  const url = `${origin}${pathname.replace('/room/', '/api/rooms/')}/${call}`
  const answer = await owner.context().request.post(url, { headers: { origin }, data: {} })
  return (await answer.json()) as Answer
}

/** Of the library in the rail of the playing room. */
export const libraryPages: PictureState[] = [
  {
    name: 'room-album',
    viewer: 'owner',
    path: ({ playing }) => `/room/${playing}`,
    prepare: async (page, { roomTabs, library }) => {
      await chooseTab(page, roomTabs.findMusic)
      await page.getByRole('list', { name: library.recent }).getByRole('button').first().click()
    },
    reveal: (page) => page.getByRole('tab', { selected: true }).first().click(),
  },
  {
    name: 'room-artist',
    viewer: 'owner',
    path: null,
    prepare: async (page, { library }) => {
      await button(page, library.back).click()
      await page.getByRole('button', { name: library.artists }).click()
      await page.getByRole('list', { name: library.artists }).getByRole('button').first().click()
    },
    reveal: (page) => page.getByRole('tab', { selected: true }).first().click(),
  },
]

/** Of people who come without an account. */
const guests: PictureState[] = [
  { name: 'door-paused', viewer: 'visitor', path: ({ away }) => `/room/${away}` },
  {
    name: 'room-guest',
    viewer: 'guest',
    path: ({ playing }) => `/room/${playing}`,
    prepare: async (page, { door }, open) => {
      const { token } = await callAsOwner<{ token: string }>(page, open, 'invites')
      await page.goto(`${page.url()}#invite=${token}`)
      await page.reload()
      await page.getByLabel(door.name).fill('Gus')
      await button(page, door.listen).click()
      await page.locator('#stage').waitFor()
    },
  },
  {
    name: 'room-guest-invite',
    viewer: 'guest',
    path: null,
    prepare: (page, { invite }) => button(page, invite.open).click(),
    leave: escape,
  },
  {
    name: 'room-removed',
    viewer: 'guest',
    path: null,
    prepare: async (page, { people }, open) => {
      const session = await page.context().request.get(`${addressOf(page)}/api/auth/get-session`)
      const { user } = (await session.json()) as { user: { id: string } }
      await callAsOwner(page, open, `members/${user.id}/kick`)
      await button(page, people.joinAgain).waitFor()
    },
  },
  { name: 'door-guest', viewer: 'guest', path: ({ private: id }) => `/room/${id}` },
]

/** Of rooms that are on their way, or cannot be reached. */
const rooms: PictureState[] = [
  {
    name: 'room-owner-away',
    viewer: 'stranger',
    path: ({ away }) => `/room/${away}`,
  },
  {
    name: 'room-sound-failed',
    viewer: 'stranger',
    path: ({ playing }) => `/room/${playing}`,
    prepare: async (page, { nowPlaying }) => {
      await page.route(/\/api\/tracks\/.*\/(audio|stream)/, (route) => route.fulfill({ status: 503 }))
      await page.reload()
      await page.getByText(nowPlaying.soundFailed).first().waitFor({ timeout: 40_000 })
    },
  },
  {
    name: 'home-sound-failed',
    viewer: 'stranger',
    path: null,
    prepare: async (page, { nowPlaying }) => {
      await page.locator('header a[href="/"]').first().click()
      await page.getByText(nowPlaying.soundFailed).first().waitFor({ timeout: 40_000 })
    },
    leave: unroute,
  },
  {
    name: 'room-loading',
    viewer: 'stranger',
    path: ({ playing }) => `/room/${playing}`,
    prepare: (page) => reloadWithout(page, '**/assets/room-page-*.js'),
    leave: unroute,
  },
  {
    name: 'room-session-ended',
    viewer: 'stranger',
    path: ({ playing }) => `/room/${playing}`,
    prepare: async (page, { door }) => {
      const headers = { origin: addressOf(page) }
      await page.context().request.post(`${addressOf(page)}/api/auth/sign-out`, { headers, data: {} })
      await page.getByText(door.sessionEnded).waitFor()
    },
  },
]

const notices: PictureState[] = [
  {
    name: 'update-notice',
    viewer: 'visitor',
    path: () => '/',
    prepare: async (page, { update }) => {
      await serveNewerPage(page)
      await page.evaluate(() => window.dispatchEvent(new Event('online')))
      await page.getByText(update.title).waitFor()
    },
    leave: unroute,
  },
  { name: 'offline', viewer: 'visitor', path: () => '/offline.html' },
  {
    name: 'splash',
    viewer: 'visitor',
    path: () => '/',
    // It is there for two seconds.
    reveal: async (page) => {
      await page.evaluate(() => localStorage.clear())
      await page.reload({ waitUntil: 'domcontentloaded' })
    },
  },
]

const accounts: PictureState[] = [
  {
    name: 'profile-sessions',
    viewer: 'owner',
    path: () => '/profile',
    prepare: (page, { sessions }) => button(page, sessions.show).click(),
    leave: escape,
  },
  {
    name: 'callback-loading',
    viewer: 'owner',
    path: () => '/profile',
    prepare: async (page, { callback }) => {
      await page.route('**/api/spotify/**', never)
      await page.goto(`${addressOf(page)}/callback?code=code&state=state`)
      await page.getByText(callback.loading).waitFor()
    },
    leave: unroute,
  },
]

/** After all others: who is removed, or whose session ended, does not come back. */
export const rareStates: PictureState[] = [...guests, ...rooms, ...notices, ...accounts]

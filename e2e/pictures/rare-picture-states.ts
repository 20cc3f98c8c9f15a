import { holdNotices } from '../support/room-page.ts'
import { serveNewerPage } from '../support/newer-page.ts'
import type { Page } from '@playwright/test'
import { button, chooseTab, escape, type OpenViewer, type PictureState } from './picture-state.ts'

/** States that pass, or that a failure brings. The server's answers are replaced where that is the shortest way. */

const never = (): Promise<void> => new Promise(() => undefined)
const addressOf = (page: Page): string => new URL(page.url()).origin
const readUserId = async (page: Page): Promise<string> => {
  const session = await page.context().request.get(`${addressOf(page)}/api/auth/get-session`)
  return ((await session.json()) as { user: { id: string } }).user.id
}
/** More than the server allows. */
const mostTries = 40
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

/** Opens the room of a page again, with an invite link of its owner. */
async function openInvited(page: Page, open: OpenViewer): Promise<void> {
  const { token } = await callAsOwner<{ token: string }>(page, open, 'invites')
  await page.goto(`${page.url()}#invite=${token}`)
  await page.reload()
}

/** Of people who come without an account. */
const guests: PictureState[] = [
  { name: 'door-paused', viewer: 'visitor', path: ({ away }) => `/room/${away}` },
  {
    name: 'door-invited',
    viewer: 'visitor',
    path: ({ private: id }) => `/room/${id}`,
    prepare: async (page, { door }, open) => {
      await openInvited(page, open)
      await page.getByLabel(door.name).waitFor()
    },
  },
  {
    name: 'room-guest',
    viewer: 'guest',
    path: ({ playing }) => `/room/${playing}`,
    prepare: async (page, { door }, open) => {
      await openInvited(page, open)
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
      await callAsOwner(page, open, `members/${await readUserId(page)}/kick`)
      await button(page, people.joinAgain).waitFor()
    },
  },
  { name: 'door-guest', viewer: 'guest', path: ({ private: id }) => `/room/${id}` },
  {
    name: 'room-banned',
    viewer: 'guest',
    path: ({ playing }) => `/room/${playing}`,
    prepare: async (page, { people }, open) => {
      await callAsOwner(page, open, `bans/${await readUserId(page)}`)
      await page.getByText(people.bannedText).waitFor()
    },
  },
]

/** Of rooms that cannot be entered at once. */
const doors: PictureState[] = [
  {
    name: 'private-wait',
    viewer: 'stranger',
    path: ({ private: id }) => `/room/${id}`,
    prepare: async (page, { door }) => {
      const field = page.getByLabel(door.password, { exact: true })
      const waits = page.getByText(door.wait(0).split(/[.!؟]/)[0] ?? '')
      for (let tries = 0; tries < mostTries && !(await waits.isVisible()); tries += 1) {
        await field.fill(`guess ${tries}`)
        await field.press('Enter')
        await page.waitForTimeout(500)
      }
      await waits.waitFor()
    },
  },
  {
    name: 'room-connecting',
    viewer: 'blocked',
    path: ({ playing }) => `/room/${playing}`,
    prepare: async (page, { room }) => {
      // Without the copy of a room that a reload shows.
      await page.evaluate(() => window.addEventListener('pagehide', () => sessionStorage.clear()))
      await page.route('**/socket.io/**', (route) => route.abort())
      await page.routeWebSocket(/socket\.io/, (socket) => socket.close())
      await page.reload()
      await page.getByText(room.connectingText).waitFor({ timeout: 40_000 })
    },
  },
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
    name: 'room-sound-slow',
    viewer: 'stranger',
    path: ({ playing }) => `/room/${playing}`,
    prepare: async (page, { nowPlaying }) => {
      await page.route(/\/api\/tracks\/.*\/(audio|stream)/, never)
      await page.reload()
      await page.getByText(nowPlaying.slowSound).first().waitFor({ timeout: 40_000 })
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
  {
    // The page as another server serves it, without the data that this one puts in.
    name: 'environment-notice',
    viewer: 'visitor',
    path: () => '/',
    prepare: async (page, { environment }) => {
      await page.route(`${addressOf(page)}/`, async (route) => {
        const response = await route.fetch()
        const body = (await response.text()).replace(/<script[^>]* id="page-data">.*?<\/script>/s, '')
        await route.fulfill({ response, body })
      })
      await page.reload()
      await page.getByRole('complementary', { name: environment.title }).waitFor()
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

/** Where the link in a mail leads. */
const mailedLinks = (
  [
    ['login-confirmed', 'confirmed=1', 'confirmed'],
    ['login-confirm-failed', 'confirmed=1&error=TOKEN_EXPIRED', 'confirmFailed'],
  ] as const
).map(([name, query, text]): PictureState => ({
  name,
  viewer: 'visitor',
  path: () => '/login',
  prepare: async (page, { login }) => {
    await page.goto(`${addressOf(page)}/login?${query}`)
    // It would be gone after some seconds.
    await holdNotices(page)
    await page.getByText(login[text]).first().waitFor()
  },
}))

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
export const rareStates: PictureState[] = [
  ...guests,
  ...doors,
  ...rooms,
  ...notices,
  ...mailedLinks,
  ...accounts,
]

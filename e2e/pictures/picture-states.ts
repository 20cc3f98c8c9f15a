import { button, chooseTab, escape, type PictureState } from './picture-state.ts'
import { providerStates } from './provider-picture-states.ts'
import { libraryPages, rareStates } from './rare-picture-states.ts'
import { otherRooms, ownersRoom } from './room-picture-states.ts'

const visitorsPages: PictureState[] = [
  { name: 'home-visitor', viewer: 'visitor', path: () => '/' },
  {
    name: 'home-nothing-found',
    viewer: 'visitor',
    path: null,
    prepare: (page) => page.getByRole('searchbox').fill('no such room'),
  },
  {
    name: 'home-menu',
    viewer: 'visitor',
    path: () => '/',
    reveal: async (page) => {
      const menu = page.locator('[aria-controls=top-bar-menu][aria-expanded=false]')
      if (await menu.isVisible()) await menu.click()
    },
  },
  { name: 'explore', viewer: 'visitor', path: () => '/explore' },
  { name: 'door', viewer: 'visitor', path: ({ playing }) => `/room/${playing}` },
  { name: 'door-crowded', viewer: 'visitor', path: ({ crowded }) => `/room/${crowded}` },
  { name: 'door-private', viewer: 'visitor', path: ({ private: id }) => `/room/${id}` },
  { name: 'login', viewer: 'visitor', path: () => '/login' },
  {
    name: 'login-failed',
    viewer: 'visitor',
    path: null,
    prepare: (page) => page.locator('form button[type=submit]').click(),
  },
  {
    name: 'sign-up',
    viewer: 'visitor',
    path: null,
    prepare: (page, { login }) => chooseTab(page, login.signUp),
  },
  { name: 'reset-password', viewer: 'visitor', path: () => '/reset-password' },
  { name: 'reset-password-link', viewer: 'visitor', path: () => '/reset-password#token' },
  { name: 'callback-failed', viewer: 'visitor', path: () => '/callback?error=access_denied' },
  { name: 'spotify-test', viewer: 'visitor', path: () => '/spotify-test' },
]

const membersPages: PictureState[] = [
  { name: 'room-not-found', viewer: 'owner', path: () => '/room/nowhere' },
  { name: 'page-not-found', viewer: 'owner', path: () => '/nowhere' },
  { name: 'home-owner', viewer: 'owner', path: () => '/' },
  { name: 'create-room', viewer: 'owner', path: () => '/create-room' },
  {
    name: 'create-room-failed',
    viewer: 'owner',
    path: null,
    prepare: async (page, { createRoom }) => {
      await page.getByRole('radio', { name: createRoom.private }).check({ force: true })
      await page.locator('form button[type=submit]').click()
    },
  },
  { name: 'profile', viewer: 'owner', path: () => '/profile' },
  {
    name: 'profile-end',
    viewer: 'owner',
    path: null,
    reveal: (page) => page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight)),
  },
  {
    name: 'profile-password',
    viewer: 'owner',
    path: null,
    prepare: (page, { security }) => button(page, security.changePassword).click(),
    leave: escape,
  },
  {
    name: 'profile-delete',
    viewer: 'owner',
    path: null,
    prepare: (page, { security }) => button(page, security.delete).click(),
    leave: escape,
  },
  { name: 'admin-code', viewer: 'owner', path: () => '/admin' },
  { name: 'private-password', viewer: 'listener', path: ({ private: id }) => `/room/${id}` },
  {
    name: 'home-failed',
    viewer: 'visitor',
    path: () => '/',
    prepare: async (page, { home }) => {
      await page.route('**/api/rooms**', (route) => route.fulfill({ status: 500, body: '{}' }))
      await page.reload()
      await page.getByText(home.errorTitle).first().waitFor({ timeout: 30_000 })
    },
  },
]

const adminPages: PictureState[] = [
  { name: 'admin', viewer: 'admin', path: () => '/admin' },
  ...(['users', 'rooms', 'invites', 'library'] as const).map((section): PictureState => ({
    name: `admin-${section}`,
    viewer: 'admin',
    path: null,
    prepare: (page, { admin }) => chooseTab(page, admin[section]),
  })),
  {
    name: 'admin-menu',
    viewer: 'admin',
    path: null,
    prepare: async (page, { admin }) => {
      await chooseTab(page, admin.users)
      await page.getByRole('tabpanel').locator('li button').first().click()
    },
    leave: escape,
  },
]

/** All screens and states, in an order in which each can be opened after the one before. */
export const pictureStates: PictureState[] = [
  ...ownersRoom,
  ...libraryPages,
  ...otherRooms,
  ...visitorsPages,
  ...membersPages,
  ...adminPages,
  ...providerStates,
  ...rareStates,
]

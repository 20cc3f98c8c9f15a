import type { Page } from '@playwright/test'
import { openMembers, openTab, press, region } from './room-page.ts'

/** Who looks at a page: the room's owner, one of its listeners, or a visitor without an account. */
export type Viewer = 'owner' | 'listener' | 'visitor'

export interface PictureState {
  name: string
  viewer: Viewer
  /** The address to open first; null to stay on the page of the state before. */
  path: ((rooms: PictureRooms) => string) | null
  /** Brings the page into the state. */
  prepare?: (page: Page) => Promise<void>
  /** Brings what the picture is of into sight, in each size: on a phone, the rail of a room is below the stage. */
  reveal?: (page: Page) => Promise<void>
  /** Brings the page back, so that the next state can be opened. */
  leave?: (page: Page) => Promise<void>
}

export interface PictureRooms {
  playing: string
  private: string
}

const showRail = (page: Page): Promise<void> => page.getByRole('tab', { selected: true }).first().click()

/** Keys count again once the dialog has faded out. */
async function escape(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

/** States of the playing room's page, one after the other. */
const roomStates: PictureState[] = [
  {
    name: 'room-queue',
    viewer: 'owner',
    path: ({ playing }) => `/room/${playing}`,
    prepare: (page) => openTab(page, 'Queue'),
    reveal: showRail,
  },
  {
    name: 'room-find',
    viewer: 'owner',
    path: null,
    prepare: (page) => openTab(page, 'Find Music'),
    reveal: showRail,
  },
  {
    name: 'room-chat',
    viewer: 'owner',
    path: null,
    prepare: (page) => openTab(page, 'Chat'),
    reveal: showRail,
  },
  {
    name: 'room-members',
    viewer: 'owner',
    path: null,
    prepare: async (page) => void (await openMembers(page)),
    leave: escape,
  },
  {
    name: 'room-invite',
    viewer: 'owner',
    path: null,
    prepare: (page) => page.getByRole('button', { name: 'Invite', exact: true }).first().click(),
    leave: escape,
  },
  {
    name: 'room-settings',
    viewer: 'owner',
    path: null,
    prepare: (page) => page.getByRole('button', { name: 'Room settings' }).click(),
    leave: escape,
  },
  {
    name: 'room-shortcuts',
    viewer: 'owner',
    path: null,
    prepare: (page) => page.keyboard.press('?'),
    leave: escape,
  },
  {
    name: 'room-listen-mode',
    viewer: 'owner',
    path: null,
    prepare: (page) => page.keyboard.press('f'),
    leave: escape,
  },
  { name: 'room-listener', viewer: 'listener', path: ({ playing }) => `/room/${playing}` },
  {
    name: 'home-in-room',
    viewer: 'listener',
    path: null,
    prepare: (page) => page.getByRole('link', { name: 'Home', exact: true }).click(),
  },
]

/** All screens and states, in an order in which each can be opened after the one before. */
export const pictureStates: PictureState[] = [
  ...roomStates,
  { name: 'home-visitor', viewer: 'visitor', path: () => '/' },
  {
    name: 'home-nothing-found',
    viewer: 'visitor',
    path: null,
    prepare: (page) => page.getByPlaceholder('Search rooms...').fill('no such room'),
  },
  { name: 'explore', viewer: 'visitor', path: () => '/explore' },
  { name: 'door', viewer: 'visitor', path: ({ playing }) => `/room/${playing}` },
  { name: 'door-private', viewer: 'visitor', path: ({ private: id }) => `/room/${id}` },
  { name: 'login', viewer: 'visitor', path: () => '/login' },
  {
    name: 'sign-up',
    viewer: 'visitor',
    path: null,
    prepare: (page) => page.getByRole('tab', { name: 'Sign Up' }).click(),
  },
  { name: 'reset-password', viewer: 'visitor', path: () => '/reset-password' },
  { name: 'reset-password-link', viewer: 'visitor', path: () => '/reset-password#token' },
  { name: 'callback-failed', viewer: 'visitor', path: () => '/callback?error=access_denied' },
  { name: 'room-not-found', viewer: 'owner', path: () => '/room/nowhere' },
  { name: 'page-not-found', viewer: 'owner', path: () => '/nowhere' },
  { name: 'home-owner', viewer: 'owner', path: () => '/' },
  { name: 'create-room', viewer: 'owner', path: () => '/create-room' },
  { name: 'profile', viewer: 'owner', path: () => '/profile' },
  { name: 'admin-code', viewer: 'owner', path: () => '/admin' },
  { name: 'private-password', viewer: 'listener', path: ({ private: id }) => `/room/${id}` },
  {
    name: 'home-failed',
    viewer: 'visitor',
    path: () => '/',
    prepare: async (page) => {
      await page.route('**/api/rooms**', (route) => route.fulfill({ status: 500, body: '{}' }))
      await page.reload()
      await page.getByText('Error loading rooms').first().waitFor({ timeout: 30_000 })
    },
  },
]

/** Writes a message and waits until another member's page has it. */
export async function say(page: Page, other: Page, line: string): Promise<void> {
  await openTab(page, 'Chat')
  const message = region(page, 'Chat').getByRole('textbox', { name: 'Message' })
  await message.fill(line)
  await message.press('Enter')
  await openTab(other, 'Chat')
  await region(other, 'Chat').getByText(line).waitFor()
}

/** A busy machine takes long until all pages play. */
const startMs = 120_000

/** Starts the room and waits until its owner is in sync, some seconds into the track. */
export async function playFor(page: Page, time: string): Promise<void> {
  await press(page, 'Play')
  await page
    .getByText(/^In sync/)
    .first()
    .waitFor({ timeout: startMs })
  await page.locator('#stage').getByText(time).first().waitFor({ timeout: startMs })
}

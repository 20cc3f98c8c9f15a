import type { Page } from '@playwright/test'
import { button, chooseTab, escape, type PictureState } from './picture-state.ts'

const showRail = (page: Page): Promise<void> => page.getByRole('tab', { selected: true }).first().click()

/** As on iPhones: a window that fills the screen keeps its size. */
const withoutFullScreen = (page: Page): Promise<void> =>
  page.evaluate(() => void Reflect.deleteProperty(Element.prototype, 'requestFullscreen'))

/** States of the playing room's page, one after the other. */
export const ownersRoom: PictureState[] = [
  {
    name: 'room-queue',
    viewer: 'owner',
    path: ({ playing }) => `/room/${playing}`,
    prepare: (page, { roomTabs }) => chooseTab(page, roomTabs.queue),
    reveal: showRail,
  },
  {
    name: 'room-queue-menu',
    viewer: 'owner',
    path: null,
    prepare: (page, { queue }) =>
      page
        .getByRole('button', {
          name: queue
            .menu('')
            .replace(/[\u2068\u2069]/g, '')
            .trim(),
        })
        .first()
        .click(),
    leave: escape,
  },
  {
    name: 'room-clear',
    viewer: 'owner',
    path: null,
    prepare: (page, { queue }) => button(page, queue.clear).click(),
    leave: escape,
  },
  {
    name: 'room-played',
    viewer: 'owner',
    path: null,
    prepare: (page, { queue }) => button(page, queue.showPlayed).click(),
    reveal: showRail,
  },
  {
    name: 'room-find',
    viewer: 'owner',
    path: null,
    prepare: (page, { roomTabs }) => chooseTab(page, roomTabs.findMusic),
    reveal: showRail,
  },
  {
    name: 'room-albums',
    viewer: 'owner',
    path: null,
    prepare: (page, { library }) => page.getByRole('button', { name: library.albums }).click(),
    reveal: showRail,
  },
  {
    name: 'room-found',
    viewer: 'owner',
    path: null,
    prepare: (page) => page.getByRole('searchbox').last().fill('o'),
    reveal: showRail,
  },
  {
    name: 'room-nothing-found',
    viewer: 'owner',
    path: null,
    prepare: (page) => page.getByRole('searchbox').last().fill('no such track'),
    reveal: showRail,
  },
  {
    name: 'room-chat',
    viewer: 'owner',
    path: null,
    prepare: (page, { roomTabs }) => chooseTab(page, roomTabs.chat),
    reveal: showRail,
  },
  {
    name: 'room-members',
    viewer: 'owner',
    path: null,
    prepare: (page, { room }) =>
      page.getByRole('button', { name: room.memberCount(6).replace(/\d+/, '').trim() }).click(),
    leave: escape,
  },
  {
    name: 'room-sync',
    viewer: 'owner',
    path: null,
    prepare: (page) => page.locator('#stage').getByRole('button').filter({ hasText: 'ms' }).click(),
    leave: escape,
  },
  {
    name: 'room-invite',
    viewer: 'owner',
    path: null,
    prepare: (page, { invite }) => button(page, invite.open).click(),
    leave: escape,
  },
  {
    name: 'room-settings',
    viewer: 'owner',
    path: null,
    prepare: (page, { roomSettings }) => button(page, roomSettings.open).click(),
    leave: escape,
  },
  {
    name: 'room-settings-end',
    viewer: 'owner',
    path: null,
    prepare: async (page, { roomSettings }) => {
      await button(page, roomSettings.open).click()
      await page.getByText(roomSettings.delete, { exact: true }).click()
    },
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
    prepare: async (page) => {
      await withoutFullScreen(page)
      await page.keyboard.press('f')
    },
    leave: escape,
  },
  {
    name: 'room-debug',
    viewer: 'owner',
    path: null,
    prepare: (page, { debugTools }) => button(page, debugTools.show).click(),
    reveal: (page) => page.locator('[class*="grid-area:debug"]').scrollIntoViewIfNeeded(),
  },
  {
    name: 'room-diagnosis',
    viewer: 'owner',
    path: null,
    prepare: async (page) => {
      await page.locator('[class*="grid-area:debug"] button').first().click()
      await page.waitForTimeout(8_000) // until it is done
    },
    reveal: (page) => page.locator('[class*="grid-area:debug"]').scrollIntoViewIfNeeded(),
    leave: (page, { debugTools }) => button(page, debugTools.hide).click(),
  },
]

/** Further states of rooms, of several people. */
export const otherRooms: PictureState[] = [
  { name: 'room-listener', viewer: 'listener', path: ({ playing }) => `/room/${playing}` },
  {
    name: 'room-paused-here',
    viewer: 'listener',
    path: null,
    prepare: (page, { nowPlaying }) => button(page, nowPlaying.pauseHere).click(),
  },
  {
    name: 'home-in-room',
    viewer: 'listener',
    path: null,
    prepare: (page) => page.locator('header a[href="/"]').first().click(),
  },
  { name: 'room-blocked', viewer: 'blocked', path: ({ playing }) => `/room/${playing}` },
  {
    name: 'home-blocked',
    viewer: 'blocked',
    path: ({ playing }) => `/room/${playing}`,
    prepare: async (page) => {
      await page.goto(new URL('/', page.url()).href)
      await page.waitForTimeout(4_000) // not looked into, which would allow the sound
    },
  },
  { name: 'room-empty', viewer: 'owner', path: ({ private: id }) => `/room/${id}` },
  {
    name: 'room-crowded',
    viewer: 'owner',
    path: ({ crowded }) => `/room/${crowded}`,
    prepare: (page, { roomTabs }) => chooseTab(page, roomTabs.queue),
  },
  {
    name: 'room-crowded-queue',
    viewer: 'owner',
    path: null,
    reveal: showRail,
  },
  {
    name: 'room-offline',
    viewer: 'owner',
    path: null,
    prepare: (page) => page.context().setOffline(true),
    leave: (page) => page.context().setOffline(false),
  },
]

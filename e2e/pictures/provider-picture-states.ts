import { pausePageClock } from '../support/page-clock.ts'
import { button, chooseTab, escape, type PictureState } from './picture-state.ts'

const videoMs = 4_000

/** States of a server with YouTube and Spotify. */
export const providerStates: PictureState[] = [
  {
    name: 'room-video',
    viewer: 'watcher',
    path: ({ video }) => `/room/${video}`,
    prepare: async (page, { nowPlaying }) => {
      await button(page, nowPlaying.play).click()
      await page.locator('iframe[src="/players/youtube"]').waitFor()
      await page.waitForTimeout(videoMs) // until it plays
    },
  },
  {
    name: 'home-video',
    viewer: 'watcher',
    path: null,
    prepare: (page) => page.locator('header a[href="/"]').first().click(),
  },
  {
    name: 'room-playlist',
    viewer: 'watcher',
    path: ({ video }) => `/room/${video}`,
    prepare: async (page, { roomTabs }) => {
      await chooseTab(page, roomTabs.findMusic)
      const field = page.getByRole('searchbox').last()
      await field.fill('https://www.youtube.com/playlist?list=PLsample0120')
      await field.press('Enter')
      await page.getByRole('dialog').getByRole('checkbox').first().waitFor()
    },
    leave: escape,
  },
  {
    name: 'room-unplayable',
    viewer: 'unconnected',
    path: ({ spotify }) => `/room/${spotify}`,
    prepare: (page, { playability }) =>
      page.getByText(playability.reasons.not_connected.title).first().waitFor(),
  },
  {
    name: 'callback-success',
    viewer: 'unconnected',
    path: () => '/profile',
    prepare: async (page, { integrations, callback }) => {
      await page
        .getByRole('region', { name: 'Spotify' })
        .getByRole('button', { name: integrations.connect })
        .click()
      const agree = page.getByRole('button', { name: 'Agree' })
      await agree.waitFor()
      // It leads to the profile after two seconds.
      await pausePageClock(page)
      await agree.click()
      await page.getByText(callback.success).waitFor()
    },
  },
]

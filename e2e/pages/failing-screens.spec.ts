import type { Locator, Page } from '@playwright/test'
import {
  failures,
  patienceMs,
  prepareFailingCall,
  pressWhenShown as press,
  strideMs,
} from '../support/failing-call.ts'
import { expect, test } from '../support/fixtures.ts'
import type { PageClock } from '../support/page-clock.ts'
import { openMembers, region } from '../support/room-page.ts'

/** A screen that loads: where its call fails, it says so and offers to try again. */
interface Loading {
  screen: string
  isVisitor?: true
  call: RegExp
  method?: string
  /** The address; the room's where there is none. */
  path?: string
  /** Goes on to where the call is made. */
  reveal?: (page: Page, clock: PageClock) => Promise<void>
  says: string
  /** Where what it says is, and the button; the page where there is no such place. */
  within?: (page: Page) => Locator
  /** The button; 'Try again' where it is not named. */
  again?: string
  works: (page: Page) => Locator
}

const inDialog = (page: Page) => page.getByRole('dialog')
const musicTab = (page: Page) => region(page, 'Find Music')

const loadings: Loading[] = [
  {
    screen: 'Explore',
    isVisitor: true,
    call: /\/api\/rooms\?/,
    path: '/explore',
    says: 'Error loading rooms',
    works: (page) => page.getByRole('button', { name: /^Join Room/ }).first(),
  },
  {
    screen: 'the own rooms on home',
    call: /\/api\/rooms\?.*scope=own/,
    path: '/',
    says: 'Error loading rooms',
    within: (page) => region(page, 'Your rooms'),
    again: 'Refresh',
    works: (page) => region(page, 'Your rooms').getByRole('button', { name: /^Join Room/ }),
  },
  {
    screen: 'the door of an invite',
    isVisitor: true,
    call: /\/door$/,
    path: '#invite=abc',
    says: 'The room could not be loaded',
    works: (page) => page.getByText('This invite link no longer works.'),
  },
  {
    screen: 'the profile',
    call: /\/api\/profile$/,
    path: '/profile',
    says: 'Your profile could not be loaded',
    works: (page) => page.getByRole('button', { name: 'Edit your display name' }),
  },
  {
    screen: 'the statistics',
    call: /\/api\/profile\/stats$/,
    path: '/profile',
    says: 'Your stats could not be loaded',
    within: (page) => region(page, 'Your Stats'),
    works: (page) => page.getByText('Rooms Created'),
  },
  {
    screen: 'the state of Spotify',
    call: /\/api\/spotify$/,
    path: '/profile',
    says: 'The state of Spotify could not be loaded',
    within: (page) => region(page, 'Spotify'),
    works: (page) => region(page, 'Spotify').getByText('Not Connected'),
  },
  {
    screen: 'the state of YouTube',
    call: /\/api\/youtube$/,
    path: '/profile',
    says: 'The state of YouTube could not be loaded',
    within: (page) => region(page, 'YouTube'),
    works: (page) => region(page, 'YouTube').getByText('Not Connected'),
  },
  {
    screen: 'the sessions',
    call: /\/api\/auth\/list-sessions$/,
    path: '/profile',
    reveal: (page, clock) => press(clock, page.getByRole('button', { name: 'Where You Are Signed In' })),
    says: 'Your sessions could not be loaded',
    within: inDialog,
    works: (page) => page.getByText('This device'),
  },
  {
    screen: 'the invite link',
    call: /\/invites$/,
    method: 'POST',
    reveal: (page, clock) => press(clock, page.getByRole('button', { name: 'Invite', exact: true }).first()),
    says: 'Could not create an invite link.',
    within: inDialog,
    works: (page) => page.getByRole('button', { name: 'End all links' }),
  },
  {
    screen: 'what was played',
    call: /\/history/,
    reveal: async (page, clock) => {
      await press(clock, page.getByRole('tab', { name: 'Queue' }))
      await press(clock, page.getByRole('button', { name: 'Show what was played' }))
    },
    says: 'Could not load what was played.',
    within: (page) => region(page, 'Recently played'),
    works: (page) => page.getByText('Nothing played yet'),
  },
  {
    screen: 'the albums',
    call: /\/api\/library\/albums/,
    reveal: async (page, clock) => {
      await press(clock, page.getByRole('tab', { name: 'Find Music' }))
      await press(clock, page.getByRole('button', { name: 'Albums', exact: true }))
    },
    says: 'The library could not be loaded',
    within: musicTab,
    works: (page) => page.getByRole('list', { name: 'Albums' }).getByRole('listitem').first(),
  },
  {
    screen: 'what is new in the library',
    call: /\/api\/library\/recent/,
    reveal: (page, clock) => press(clock, page.getByRole('tab', { name: 'Find Music' })),
    says: 'What is new could not be loaded.',
    within: musicTab,
    works: (page) => page.getByText('Recently added'),
  },
  {
    screen: 'the banned people',
    call: /\/bans$/,
    reveal: async (page, clock) => {
      await clock.advanceUntil(() => page.getByRole('button', { name: /\d members?$/ }).isVisible(), 15_000)
      await openMembers(page)
    },
    says: 'The bans could not be loaded',
    within: (page) => region(page, 'Room Members'),
    works: (page) => region(page, 'Room Members').getByText('1 online'),
  },
]

/** Screens that are tested always. */
const usual = new Set(['Explore', 'the state of YouTube', 'the banned people'])

/** Each failure loads a page anew, so that most of them are long, as are most screens. */
const [hangs, ...others] = Object.entries(failures)
const variations = [
  { how: 'in time', failed: hangs ? [hangs] : [], isLong: false },
  { how: 'for other reasons', failed: others, isLong: true },
]

for (const loading of loadings) {
  const { screen, isVisitor, call, method, path, reveal, says, within, again, works } = loading
  for (const { how, failed, isLong } of variations) {
    const tag = isLong || !usual.has(screen) ? ['@long'] : []
    test(
      `17.155 where ${screen} cannot be loaded ${how}, it says so and offers to try again`,
      { tag },
      async ({ owner, page: visitorsPage, room }) => {
        const page = isVisitor ? visitorsPage : owner.page
        const place = within?.(page) ?? page.getByRole('main')
        const failing = await prepareFailingCall(page, call, method)
        for (const [name, failure] of failed) {
          await test.step(name, async () => {
            failing.fail(failure)
            const before = failing.count()
            // A fragment alone would load nothing.
            await page.goto('about:blank')
            await page.goto(path?.startsWith('/') ? path : `${room.path}${path ?? ''}`)
            await reveal?.(page, failing.clock)
            const button = place.getByRole('button', { name: again ?? 'Try again' })
            const isSaid = async () =>
              (await place.getByText(says).first().isVisible()) && (await button.isEnabled())
            await failing.clock.advanceUntil(isSaid, patienceMs, strideMs)
            // Twice or three times, and not without end.
            expect(failing.count() - before).toBeLessThanOrEqual(6)
            failing.mend()
            await button.click()
            const isMended = async () =>
              (await works(page).isVisible()) && (await place.getByText(says).count()) === 0
            await failing.clock.advanceUntil(isMended, 10_000)
          })
        }
      },
    )
  }
}

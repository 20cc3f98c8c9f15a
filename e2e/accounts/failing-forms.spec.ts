import type { Page } from '@playwright/test'
import {
  failures,
  prepareFailingCall,
  pressWhenShown as press,
  longPatienceMs,
  strideMs,
} from '../support/failing-call.ts'
import { expect, test } from '../support/fixtures.ts'
import type { PageClock } from '../support/page-clock.ts'

/** A screen that sends: where its call fails, it says so, and what was typed and the button can be used again. */
interface Sending {
  screen: string
  isVisitor?: true
  call: RegExp
  method?: string
  path?: string
  reveal?: (page: Page, clock: PageClock) => Promise<void>
  /** The text that is typed, by field. */
  typed: Record<string, string>
  button: string
  says: RegExp
  /** The page's text once the call is answered; missing where the answer is another server's. */
  works?: RegExp
}

const settings = (page: Page, clock: PageClock) =>
  press(clock, page.getByRole('button', { name: 'Room settings' }))
const security = (name: string) => (page: Page, clock: PageClock) =>
  press(clock, page.getByRole('button', { name, exact: true }))

/** Of accounts whose session the tests made. */
const noPassword = /has no password/

const sendings: Sending[] = [
  {
    screen: 'the sign-up',
    isVisitor: true,
    call: /\/api\/auth\/sign-up/,
    path: '/login',
    reveal: (page, clock) => press(clock, page.getByRole('tab', { name: 'Sign Up' })),
    typed: { Email: 'failing-sign-up@example.com', Password: 'correct horse', Name: 'Faye' },
    button: 'Sign Up',
    says: /Registration failed/,
    works: /Registration successful/,
  },
  {
    screen: 'the name of a guest',
    isVisitor: true,
    call: /\/sign-in\/anonymous$/,
    path: '#guests',
    typed: { 'Your name': 'Gus' },
    button: 'Listen',
    says: /You could not join|Something went wrong|Too many/,
    works: /No track playing/,
  },
  {
    screen: 'a forgotten password',
    isVisitor: true,
    call: /\/request-password-reset$/,
    path: '/reset-password',
    typed: { Email: 'ann@example.com' },
    button: 'Send Link',
    says: /could not be sent|went wrong|Too many|not available|broken/,
    works: /we have sent a link/,
  },
  {
    screen: 'a new password',
    isVisitor: true,
    call: /\/api\/auth\/reset-password$/,
    path: '/reset-password#some-token',
    typed: { 'New Password': 'battery staple' },
    button: 'Set Password',
    says: /could not be changed|went wrong|Too many|not available|broken/,
    works: /This link has expired/,
  },
  {
    screen: 'the change of a password',
    call: /\/change-password$/,
    path: '/profile',
    reveal: security('Change Password'),
    typed: { 'Current Password': 'correct horse', 'New Password': 'battery staple' },
    button: 'Save Password',
    says: /could not be changed|went wrong|Too many|not available|broken/,
    works: noPassword,
  },
  {
    screen: 'the change of an email address',
    call: /\/change-email$/,
    path: '/profile',
    reveal: security('Change Email'),
    typed: { 'New Email': 'new@example.com', 'Your Password': 'correct horse' },
    button: 'Save Email',
    says: /could not be changed|went wrong|Too many|not available|broken/,
    works: noPassword,
  },
  {
    screen: 'the deletion of an account',
    call: /\/api\/account\/delete$/,
    path: '/profile',
    reveal: security('Delete Account'),
    typed: { 'Your Password': 'correct horse' },
    button: 'Delete Account',
    says: /went wrong|not available|Too many/,
    works: noPassword,
  },
  {
    screen: 'the display name',
    call: /\/api\/profile$/,
    method: 'PATCH',
    path: '/profile',
    reveal: (page, clock) => press(clock, page.getByRole('button', { name: 'Edit your display name' })),
    typed: { 'Display Name': 'Olivia Moreno' },
    button: 'Save',
    says: /Error updating profile/,
    works: /Profile updated/,
  },
  {
    screen: 'the key of YouTube',
    call: /\/api\/youtube\/connect$/,
    path: '/profile',
    typed: { 'Your own API key': 'a-key' },
    button: 'Connect',
    says: /Connection Error:/,
  },
  {
    screen: 'the creation of a room',
    call: /\/api\/rooms$/,
    method: 'POST',
    path: '/create-room',
    typed: { 'Room Name': 'Attic' },
    button: 'Create Room',
    says: /Failed to create room/,
    works: /^Attic$/,
  },
  {
    screen: 'the settings of a room',
    call: /\/api\/rooms\/[^/]+$/,
    method: 'PATCH',
    reveal: settings,
    typed: { 'Room Name': 'Cellar' },
    button: 'Save',
    says: /The settings could not be saved/,
    works: /Room settings saved/,
  },
  {
    screen: 'the deletion of a room',
    call: /\/api\/rooms\/[^/]+$/,
    method: 'DELETE',
    reveal: async (page, clock) => {
      await settings(page, clock)
      await press(clock, page.getByText('Delete the room', { exact: true }))
    },
    typed: {},
    button: 'Delete “',
    says: /The room could not be deleted/,
    works: /Available Rooms/,
  },
  {
    screen: 'the end of all links',
    call: /\/invites$/,
    method: 'DELETE',
    reveal: (page, clock) => press(clock, page.getByRole('button', { name: 'Invite', exact: true }).first()),
    typed: {},
    button: 'End all links',
    says: /Could not end the links/,
    works: /Earlier links no longer work/,
  },
]

for (const [index, sending] of sendings.entries()) {
  // Each takes some seconds, so that most are long.
  const tag = index % 6 > 0 ? ['@long'] : []
  test(
    `17.156 where ${sending.screen} cannot be sent, it says so, and nothing typed is lost`,
    {
      tag,
    },
    async ({ app, owner, page: visitorsPage, room }) => {
      const { isVisitor, call, method, path, reveal, typed, says, works } = sending
      const page = isVisitor ? visitorsPage : owner.page
      if (path === '#guests') {
        await owner.context.request.patch(`${app.url}/api/rooms/${room.id}`, {
          headers: { origin: app.publicUrl },
          data: { settings: { guests: 'everyone' } },
        })
      }
      const failing = await prepareFailingCall(page, call, method)
      const { clock } = failing
      await page.goto(path?.startsWith('/') ? path : room.path)
      await reveal?.(page, clock)
      const fields = Object.entries(typed).map(([label, value]) => ({
        field: page.getByLabel(label, { exact: true }).last(),
        value,
      }))
      for (const { field, value } of fields) {
        await clock.advanceUntil(() => field.isVisible(), 15_000)
        await field.fill(value)
      }
      const isWhole = sending.button !== 'Delete “'
      const button = page.getByRole('button', { name: sending.button, exact: isWhole }).last()
      await clock.advanceUntil(() => button.isVisible(), 15_000)
      for (const [name, failure] of Object.entries(failures)) {
        await test.step(name, async () => {
          failing.fail(failure)
          const before = failing.count()
          await button.click()
          const isSaid = async () =>
            failing.count() > before &&
            (await button.count()) > 0 &&
            (await button.isEnabled()) &&
            (await page.getByText(says).first().isVisible())
          await clock.advanceUntil(isSaid, longPatienceMs, strideMs)
          for (const { field, value } of fields) await expect(field).toHaveValue(value)
          failing.mend()
        })
      }
      if (!works) return
      await button.click()
      await clock.advanceUntil(() => page.getByText(works).first().isVisible(), 15_000)
    },
  )
}

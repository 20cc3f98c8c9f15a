import { makeAccount } from '../support/accounts.ts'
import { openBrowser } from '../support/browser.ts'
import { noteFirstSound, waitForSound } from '../support/first-sound.ts'
import { expect, test } from '../support/fixtures.ts'
import { newcomer } from '../support/newcomer.ts'
import { nowPlaying, press, region } from '../support/room-page.ts'

test(
  '17.98 a new owner has music playing for a friend within 60 s and 8 clicks',
  { tag: '@long' },
  async ({ app }) => {
    const owner = await openBrowser({ mayAutoplay: false })
    const friend = await openBrowser({ mayAutoplay: false })
    try {
      const { page } = owner
      const account = makeAccount('nora')
      await owner.context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await noteFirstSound(friend.page)
      const startedAtMs = performance.now()
      await page.goto(app.url)
      const { click, fill, clicks } = newcomer(page)
      await click(page.getByRole('main').getByRole('link', { name: 'Create Room' }).first())
      await click(page.getByRole('tab', { name: 'Sign Up' }))
      await fill(page.getByLabel('Email'), account.email)
      await fill(page.getByLabel('Password', { exact: true }), account.password)
      await click(page.locator('form').getByRole('button', { name: 'Sign Up' }))
      await fill(page.getByLabel('Room Name'), 'First Evening')
      await click(page.getByRole('main').getByRole('button', { name: 'Create Room' }))
      await click(
        region(page, 'Find Music')
          .getByRole('button', { name: /^Add .* to the queue$/ })
          .first(),
      )
      await click(page.getByRole('button', { name: 'Invite', exact: true }).first())
      await click(page.getByRole('button', { name: 'Copy link' }))
      await expect(page.getByText('Link copied')).toBeVisible()
      expect(clicks()).toBeLessThanOrEqual(8)

      const link = await page.evaluate(() => navigator.clipboard.readText())
      await friend.page.goto(link)
      const guest = newcomer(friend.page)
      await guest.fill(friend.page.getByLabel('Your name'), 'Theo')
      await guest.click(friend.page.getByRole('button', { name: 'Listen' }))
      await waitForSound(friend.page)
      const tookMs = performance.now() - startedAtMs
      test.info().annotations.push({ type: 'took', description: `${Math.round(tookMs)} ms` })
      expect(guest.clicks()).toBeLessThanOrEqual(3)
      expect(tookMs).toBeLessThan(60_000)
      await page.keyboard.press('Escape')
      await expect(nowPlaying(page).getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
      await press(page, 'Pause')
    } finally {
      await friend.close()
      await owner.close()
    }
  },
)

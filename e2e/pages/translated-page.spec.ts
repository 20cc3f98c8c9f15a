import { makeAccount, signUpByForm } from '../support/accounts.ts'
import { expect, test } from '../support/fixtures.ts'
import { listErrors } from '../support/page-events.ts'
import { leaveRoom, openRoom, openTab, press, pressAddFirstTracks, region } from '../support/room-page.ts'

/** Does to a page, from its load on, what the translation of Chrome does: its texts are replaced by elements of its own. */
function translate(): void {
  const replaceTexts = (root: Node): void => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts) {
      const parent = text.parentElement
      if (!parent || text.data.trim() === '' || parent.closest('font, script, style, textarea, title'))
        continue
      const translated = document.createElement('font')
      translated.append(document.createElement('font'))
      translated.firstElementChild!.textContent = text.data
      text.replaceWith(translated)
    }
  }
  new MutationObserver(() => replaceTexts(document)).observe(document, {
    childList: true,
    subtree: true,
    characterData: true,
  })
}

test(
  '17.330 a page that the browser translates works: sign-up and home',
  { tag: '@long' },
  async ({ app, page }) => {
    const errors = listErrors(page)
    await page.addInitScript(translate)
    await signUpByForm(page, app, makeAccount('tara'))
    await expect(page.getByText('Registration successful')).toBeVisible()
    for (const path of ['/', '/explore', '/create-room', '/profile']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible()
    expect(errors).toEqual([])
  },
)

test('17.330 a room that the browser translates works, and its figures are current', async ({
  app,
  owner,
  listener,
  room,
}) => {
  const { page } = owner
  const errors = listErrors(page)
  await page.addInitScript(translate)
  await openRoom(page, app.url, room.id)
  await pressAddFirstTracks(page, 3)
  await press(page, 'Play')
  await press(page, 'Next track')
  await openTab(page, 'Chat')
  const chat = region(page, 'Chat')
  await chat.getByRole('textbox').fill('Look: https://example.org/a')
  await page.keyboard.press('Enter')
  await expect(chat.getByRole('link', { name: 'https://example.org/a' })).toBeVisible()
  await expect(chat.getByText('Sending')).toHaveCount(0)
  await openRoom(listener.page, app.url, room.id)
  const members = page.getByRole('button', { name: '2 members' })
  await expect(members).toBeVisible()
  const { width, height } = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(members.locator('span.tabular-nums[aria-hidden]').last()).toHaveText('2')
  await page.setViewportSize({ width, height })
  await leaveRoom(listener.page)
  await expect(page.getByRole('button', { name: '1 member' })).toBeVisible()
  await openTab(page, 'Queue')
  await press(page, 'Pause')
  await page.getByRole('button', { name: 'Room settings' }).click()
  await page.getByLabel('Room Name').fill('Translated')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Translated' })).toBeVisible()
  await page.keyboard.press('Escape')
  await leaveRoom(page)
  await expect(page.getByRole('heading', { name: 'Available Rooms' })).toBeVisible()
  expect(errors).toEqual([])
})

import type { Page } from '@playwright/test'
import { findProblems } from '../support/axe.ts'
import { expect, openPerson, test } from '../support/fixtures.ts'
import { nowPlaying, openRoom, openTab } from '../support/room-page.ts'
import { addTracks } from '../support/rooms.ts'

const voteButton = (page: Page) => nowPlaying(page).getByRole('button', { name: 'Vote to skip' })
const title = (page: Page) => nowPlaying(page).locator('h3')
const count = (page: Page) => nowPlaying(page).getByText('1 of 2 votes to skip')

test('17.470, 17.471, 17.472 listeners vote to skip, take it back, and with enough votes the next track comes', async ({
  app,
  browser,
  owner,
  listener,
  room,
}) => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
  const guest = await openPerson(browser, app, 'tess', phone)
  const pages = [owner.page, listener.page, guest.page]
  for (const page of pages) await openRoom(page, app.url, room.id)
  await addTracks(app, owner.context, room.id, ['Pocket Comet', 'Neon Harbour'])
  await expect(nowPlaying(guest.page).getByRole('button', { name: 'Next track' })).toBeDisabled()
  const changed = await owner.context.request.patch(`${app.url}/api/rooms/${room.id}`, {
    headers: { origin: app.publicUrl },
    data: { settings: { skipVotes: 'half' } },
  })
  expect(changed.ok()).toBe(true)

  const vote = voteButton(guest.page)
  await expect(vote).toHaveAttribute('aria-pressed', 'false')
  const box = await vote.boundingBox()
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
  await vote.tap()
  await expect(vote).toHaveAttribute('aria-pressed', 'true')
  for (const page of pages) await expect(count(page)).toBeInViewport({ ratio: 1 })
  expect(await findProblems(guest.page)).toEqual([])
  await expect(voteButton(owner.page)).toHaveCount(0)
  await expect(voteButton(listener.page)).toHaveAttribute('aria-pressed', 'false')
  await vote.tap()
  for (const page of pages) await expect(count(page)).toHaveCount(0)

  await voteButton(listener.page).click()
  for (const page of pages) await expect(count(page)).toBeVisible()
  await expect(title(guest.page)).toHaveText('Pocket Comet')
  await vote.tap()
  for (const page of pages) await expect(title(page)).toHaveText('Neon Harbour')
  for (const page of [listener.page, guest.page])
    await expect(voteButton(page)).toHaveAttribute('aria-pressed', 'false')
  await openTab(owner.page, 'Chat')
  await expect(owner.page.getByText('Skipped by vote: “Pocket Comet”').last()).toBeVisible()
  await guest.context.close()
})

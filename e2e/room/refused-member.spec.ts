import type { Page } from '@playwright/test'
import { expect, type Person, test } from '../support/fixtures.ts'
import { pausePageClock } from '../support/page-clock.ts'
import { nowPlaying, openMembers, openRoom, openTab, press, region } from '../support/room-page.ts'
import { addTracks } from '../support/rooms.ts'

/** Makes a call of the owner about the room. */
async function callAsOwner(owner: Person, method: 'POST' | 'DELETE', url: string): Promise<unknown> {
  const headers = { origin: new URL(url).origin }
  const answer = await owner.context.request.fetch(url, { method, headers })
  expect(answer.ok()).toBe(true)
  return answer.json()
}

const readUserId = async ({ context }: Person, serverUrl: string): Promise<string> => {
  const answer = await context.request.get(`${serverUrl}/api/auth/get-session`)
  return ((await answer.json()) as { user: { id: string } }).user.id
}

/** Returns the requests for audio, of which the caller may remove those before. */
function watchAudio(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    if (/\/api\/tracks\/[^/]+\/stream/.test(request.url())) asked.push(request.url())
  })
  return asked
}

/** Waits until a page hears of people who joined: the server says so 2 s after the first of them. */
async function waitForJoinLine(page: Page): Promise<void> {
  const heard = Promise.withResolvers<void>()
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (/^42\["activity",.*"joined"/.test(String(payload))) heard.resolve()
    }),
  )
  await heard.promise
}

test('17.306, 17.301, 17.236 who is banned asks for no more music, and is in again with an invite that is opened in the tab', async ({
  app,
  owner,
  listener,
  room,
}) => {
  await openRoom(owner.page, app.url, room.id)
  await addTracks(app, owner.context, room.id, ['Neon Harbour'])
  await press(owner.page, 'Play')
  const { page } = listener
  const asked = watchAudio(page)
  const clock = await pausePageClock(page, /\/stream/)
  await page.goto(room.path)
  await clock.advanceUntil(() => nowPlaying(page).isVisible(), 10_000)
  await clock.advanceUntil(() => asked.length > 0, 10_000)

  const roomUrl = `${app.url}/api/rooms/${room.id}`
  const ban = `${roomUrl}/bans/${await readUserId(listener, app.url)}`
  await callAsOwner(owner, 'POST', ban)
  const banned = page.getByRole('heading', { name: `You are banned from “${room.name}”` })
  await clock.advanceUntil(() => banned.isVisible(), 10_000)
  asked.splice(0)
  await clock.advance(20_000, 500)
  expect(asked).toEqual([])

  await callAsOwner(owner, 'DELETE', ban)
  const { token } = (await callAsOwner(owner, 'POST', `${roomUrl}/invites`)) as { token: string }
  await page.evaluate((hash) => (window.location.hash = hash), `invite=${token}`)
  await clock.advanceUntil(() => nowPlaying(page).isVisible(), 10_000)
})

test('17.30, 17.34, 17.36, 17.476 the owner removes a member, who is told and may come back; a ban takes what its user left along, where the owner ticks that: from the queue and the chat of everybody', async ({
  app,
  owner,
  listener,
  room,
}) => {
  const announced = waitForJoinLine(owner.page)
  await owner.page.goto(room.path)
  await listener.page.goto('/')
  // Who joins before that is in one line with the owner, who does not see it.
  await announced
  await listener.page.goto(room.path)
  await expect(owner.page.getByText(`${listener.name} joined`).first()).toBeVisible()
  const members = await openMembers(owner.page)
  await members.getByRole('button', { name: `Remove ${listener.name}` }).click()
  await owner.page.getByRole('menuitem', { name: 'Remove from the room' }).click()
  await expect(
    listener.page.getByRole('heading', { name: `You were removed from “${room.name}”` }),
  ).toBeVisible()
  await expect(members.getByText('1 online')).toBeVisible()
  await listener.page.getByRole('button', { name: 'Join again' }).click()
  await expect(nowPlaying(listener.page)).toBeVisible()
  await expect(members.getByText('2 online')).toBeVisible()

  const { page } = owner
  await page.keyboard.press('Escape')
  await addTracks(app, owner.context, room.id, ['Pocket Comet', 'Neon Harbour'])
  await addTracks(app, listener.context, room.id, ['Glasshouse', 'Orchard Path'])
  for (const [person, text] of [
    [owner, 'hello'],
    [listener, 'an insult'],
  ] as const) {
    await openTab(person.page, 'Chat')
    await person.page.getByRole('textbox', { name: 'Message' }).fill(text)
    await person.page.getByRole('textbox', { name: 'Message' }).press('Enter')
  }
  const chat = region(page, 'Chat').getByRole('log')
  await expect(chat.getByText('an insult')).toBeVisible()

  await openMembers(page)
  await members.getByRole('button', { name: `Remove ${listener.name}` }).click()
  await page.getByRole('menuitem', { name: 'Ban from the room' }).click()
  const dialog = page.getByRole('dialog', { name: `Ban ${listener.name}?` })
  const box = dialog.getByRole('checkbox', {
    name: 'Also remove their tracks from the queue and their messages',
  })
  await expect(box).not.toBeChecked()
  await box.check()
  await dialog.getByRole('button', { name: 'Ban' }).click()

  await expect(listener.page.getByRole('heading', { name: /^You are banned from/ })).toBeVisible()
  await expect(chat.getByText('an insult')).toBeHidden()
  await expect(chat.getByText('hello')).toBeVisible()
  await page.keyboard.press('Escape')
  await openTab(page, 'Queue')
  await expect(region(page, 'Queue').getByRole('listitem')).toHaveCount(1)
  await expect(region(page, 'Queue').getByText('Neon Harbour')).toBeVisible()
})

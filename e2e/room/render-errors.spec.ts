import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { interposeEvents } from '../support/page-events.ts'
import {
  addFirstTracks,
  leaveRoom,
  nowPlaying,
  openTab,
  press,
  region,
  waitUntilInSync,
} from '../support/room-page.ts'

/** Keeps the page's audio contexts for `readAudioStates`. */
async function watchAudio(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const contexts: AudioContext[] = []
    Object.assign(globalThis, { contexts })
    globalThis.AudioContext = class extends AudioContext {
      constructor(options?: AudioContextOptions) {
        super(options)
        contexts.push(this)
      }
    }
  })
  return () =>
    page.evaluate(() =>
      (globalThis as unknown as { contexts: AudioContext[] }).contexts.map(({ state }) => state),
    )
}

/** No date can show this time. */
const impossibleTimeMs = 1e20
const partFailed = 'This part could not be displayed'

/** Plays a track in a room whose events the test can send itself. `before`: the audio contexts' states. */
async function playWatched(page: Page, path: string) {
  const readAudioStates = await watchAudio(page)
  const sendEvent = await interposeEvents(page)
  await page.goto(path)
  // Several: on a busy machine a test outlasts a track.
  await addFirstTracks(page, 3)
  await press(page, 'Play')
  await waitUntilInSync(page)
  return { sendEvent, readAudioStates, before: await readAudioStates() }
}

test('12.4a, 12.4b a message that cannot be drawn takes the chat away, and an error outside of the cards the room, not the music', async ({
  owner: { page },
  room,
}) => {
  const { sendEvent, readAudioStates, before } = await playWatched(page, room.path)
  expect(before).toContain('running')

  await openTab(page, 'Chat')
  const chat = region(page, 'Chat')
  await chat.getByRole('textbox', { name: 'Message' }).fill('half a thought')
  const sender = { user_id: 'u', username: 'mallory', avatar_url: null }
  const message = { id: '0', room_id: room.id, ...sender, content: 'boo', created_at: impossibleTimeMs }
  sendEvent('message', { roomId: room.id, message })
  await expect(chat.getByText(partFailed)).toBeVisible()
  await expect(nowPlaying(page).getByText(/^In sync/)).toBeVisible()
  expect(await readAudioStates()).toEqual(before)

  sendEvent('message', { roomId: room.id, message: { ...message, created_at: 0 } })
  await chat.getByRole('button', { name: 'Try again' }).click()
  await expect(chat.getByText('boo')).toBeVisible()
  await expect(chat.getByRole('textbox', { name: 'Message' })).toHaveValue('half a thought')

  const response = await page.request.get(`/api/rooms/${room.id}`)
  const { room: whole } = (await response.json()) as { room: object }
  // The header shows the owner's name to everybody else.
  sendEvent('roomUpdate', { roomId: room.id, room: { ...whole, owner_id: 'somebody', owner: null } })
  await expect(page.getByText('The room could not be displayed')).toBeVisible()
  expect(await readAudioStates()).toEqual(before)
  sendEvent('roomUpdate', { roomId: room.id, room: whole })
  await page.getByRole('button', { name: 'Try again' }).click()
  await waitUntilInSync(page)
  expect(await readAudioStates()).toEqual(before)

  await leaveRoom(page)
  await expect.poll(readAudioStates).not.toContain('running')
})

test('12.5 what is typed survives a change of the layout', async ({ owner: { page }, room }) => {
  await page.goto(room.path)
  const message = page.getByRole('textbox', { name: 'Message' })
  await openTab(page, 'Find Music')
  const search = page.getByPlaceholder('Search for music...')
  await search.fill('zzzz')
  await search.press('Enter')
  await expect(page.getByText('No results found')).toBeVisible()
  await search.fill('zzzz and more')
  await openTab(page, 'Chat')
  await message.fill('half a thought')
  await page.setViewportSize({ width: 900, height: 900 })
  await expect(message).toHaveValue('half a thought')
  await openTab(page, 'Find Music')
  await expect(search).toHaveValue('zzzz and more')
  await expect(page.getByText('No results found')).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await openTab(page, 'Chat')
  await expect(message).toHaveValue('half a thought')
  await openTab(page, 'Find Music')
  await expect(search).toHaveValue('zzzz and more')
})

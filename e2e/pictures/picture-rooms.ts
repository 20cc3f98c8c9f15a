import type { Page } from '@playwright/test'
import type { App } from '../support/app.ts'
import type { Browser } from '../support/browser.ts'
import type { PictureRooms } from './picture-state.ts'
import { openRoom, openTab, press, region } from '../support/room-page.ts'
import { addTracks, createRoom, fillMembers, fillQueue, readLibrary } from '../support/rooms.ts'

/** The rooms of the pictures, and the people in them. */

const lines = [
  'Morning! What are we starting with?',
  'Something slow, it is raining here',
  'This one. Trust me',
  'Oh, that bass',
  'Adding one for the way home',
]
const longName = `Everybody’s favourite records, from A to ${'Z'.repeat(38)}`
const crowd = { members: 59, tracks: 500 }

/** Creates the rooms; all people are in the first, which plays, chats and has a queue. */
export async function fillRooms(
  app: App,
  owner: Browser,
  others: Browser[],
): Promise<Pick<PictureRooms, 'playing' | 'private' | 'away'>> {
  const people = [owner, ...others]
  const playing = await createRoom(app, owner.context, { name: 'Sunday Listening Club' })
  const hidden = await createRoom(app, owner.context, {
    name: 'Attic Tapes',
    isPublic: false,
    password: 'attic',
  })
  const [theo, mina] = others
  if (!theo || !mina) throw new Error('Nobody else has a room')
  await createRoom(app, theo.context, { name: 'Deep Focus' })
  const away = await createRoom(app, mina.context, { name: 'Late Bus Home' })
  for (const { page } of people) await openRoom(page, app.url, playing)
  const titles = await readTitles(app, owner)
  await addTracks(app, owner.context, playing, titles.slice(0, 7))
  for (const [index, line] of lines.entries()) {
    const { page } = people[index % people.length] ?? owner
    await say(page, (page === owner.page ? others[0]?.page : owner.page) ?? page, line)
  }
  await fillQueue(app, mina.context, away, 12)
  await playFor(owner.page, '0:24')
  return { playing, private: hidden, away }
}

/** Creates a room with a long name, full of tracks and, until `signal`, of people. Resolves to its id. */
export async function fillCrowdedRoom(app: App, owner: Browser, signal: AbortSignal): Promise<string> {
  const id = await createRoom(app, owner.context, { name: longName })
  await fillQueue(app, owner.context, id, crowd.tracks)
  await fillMembers(app, { roomId: id }, crowd.members, signal)
  return id
}

async function readTitles(app: App, { context }: Browser): Promise<string[]> {
  return (await readLibrary(app, context.request)).map(({ title }) => title)
}

/** Writes a message and waits until another member's page has it. */
async function say(page: Page, other: Page, line: string): Promise<void> {
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
async function playFor(page: Page, time: string): Promise<void> {
  await press(page, 'Play')
  await page
    .getByText(/^In sync/)
    .first()
    .waitFor({ timeout: startMs })
  await page.locator('#stage').getByText(time).first().waitFor({ timeout: startMs })
}

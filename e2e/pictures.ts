/**
 * `npm run pictures [folder [state ...]]`: takes screenshots of every screen and state, or of the named states, at four
 * widths in both colour modes. Without a folder it retakes only the README's picture.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { signIn } from './accounts.ts'
import { startApp, type App } from './app.ts'
import { contextOptions, launchOptions, openBrowser, type Browser } from './browser.ts'
import {
  pictureStates,
  playFor,
  say,
  type PictureRooms,
  type PictureState,
  type Viewer,
} from './picture-states.ts'
import { openRoom, openTab, waitUntilInSync } from './room-page.ts'
import { addTracks, createRoom } from './rooms.ts'

const sizes = [
  { name: '390', width: 390, height: 844 },
  { name: '820', width: 820, height: 1180 },
  { name: '1440', width: 1440, height: 900 },
  { name: '2560', width: 2560, height: 1440 },
]
const readmePicture = join(import.meta.dirname, '..', 'docs', 'pictures', 'room.png')
const names = ['Nora', 'Theo', 'Mina', 'Jun', 'Ada']
const lines = [
  'Morning! What are we starting with?',
  'Something slow, it is raining here',
  'This one. Trust me',
  'Oh, that bass',
  'Adding one for the way home',
]
/** What a picture may wait for: covers, fonts and short motions. */
const settleMs = 500

async function main(folder: string | undefined, wanted: string[]): Promise<void> {
  const app = await startApp()
  const owner = await openBrowser()
  const listeners = await openListeners(names.length - 1)
  const people = [owner, ...listeners]
  const [listener] = listeners
  if (!listener) throw new Error('A room needs a listener')
  try {
    for (const [index, { context }] of people.entries()) await signIn(app, context, names[index] ?? '')
    const rooms = await fillRooms(app, people)
    if (folder === undefined) return await takeReadmePicture(owner.page)
    const states = pictureStates.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
    await takeAll(app, { owner, listener }, rooms, { folder, states })
  } finally {
    await Promise.all(people.map((person) => person.close()))
    await app.stop()
  }
}

/** Opens pages that share one browser: several cost more than one machine can play. */
async function openListeners(count: number): Promise<Browser[]> {
  const browser = await chromium.launch(launchOptions())
  const contexts = await Promise.all(Array.from({ length: count }, () => browser.newContext(contextOptions)))
  return Promise.all(
    contexts.map(async (context) => ({
      context,
      page: await context.newPage(),
      close: () => browser.close(),
    })),
  )
}

/** Creates the rooms; all people are in the first, which plays, chats and has a queue. */
async function fillRooms(app: App, people: Browser[]): Promise<PictureRooms> {
  const [owner, ...others] = people
  if (!owner) throw new Error('A room needs an owner')
  const playing = await createRoom(app, owner.context, { name: 'Sunday Listening Club' })
  const hidden = await createRoom(app, owner.context, {
    name: 'Attic Tapes',
    isPublic: false,
    password: 'attic',
  })
  for (const [index, name] of ['Deep Focus', 'Late Bus Home'].entries()) {
    const person = others[index]
    if (person) await createRoom(app, person.context, { name })
  }
  for (const { page } of people) await openRoom(page, app.url, playing)
  const titles = await readTitles(app, owner)
  await addTracks(app, owner.context, playing, titles.slice(0, 7))
  for (const [index, line] of lines.entries()) {
    const { page } = people[index % people.length] ?? owner
    await say(page, (page === owner.page ? others[0]?.page : owner.page) ?? page, line)
  }
  await playFor(owner.page, '0:24')
  return { playing, private: hidden }
}

async function readTitles(app: App, { context }: Browser): Promise<string[]> {
  const response = await context.request.get(`${app.url}/api/library`)
  const { tracks } = (await response.json()) as { tracks: { title: string }[] }
  return tracks.map(({ title }) => title)
}

async function takeReadmePicture(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1366, height: 768 })
  await openTab(page, 'Chat')
  await page.waitForTimeout(6_000) // until the notices are gone
  await waitUntilInSync(page)
  mkdirSync(join(readmePicture, '..'), { recursive: true })
  await page.screenshot({ path: readmePicture })
}

async function takeAll(
  app: App,
  members: Record<Exclude<Viewer, 'visitor'>, Browser>,
  rooms: PictureRooms,
  { folder, states }: { folder: string; states: PictureState[] },
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const visitor = await openBrowser()
  const viewers: Record<Viewer, Browser> = { ...members, visitor }
  try {
    for (const { name, viewer, path, prepare, reveal, leave } of states) {
      const { page } = viewers[viewer]
      await page.setViewportSize({ width: 1440, height: 900 })
      if (path) {
        await page.goto(app.url + path(rooms))
        await page.waitForTimeout(3_000) // the first visit's splash
      }
      try {
        await prepare?.(page)
        await takeSizes(page, name, folder, reveal)
      } catch (error) {
        console.error(`No picture of ${name}:`, error)
      }
      await leave?.(page)
    }
  } finally {
    await visitor.close()
  }
}

async function takeSizes(
  page: Page,
  name: string,
  folder: string,
  reveal: PictureState['reveal'],
): Promise<void> {
  for (const { name: size, width, height } of sizes) {
    await page.setViewportSize({ width, height })
    await reveal?.(page)
    for (const mode of ['dark', 'light']) {
      // As the toggle does, which a dialog covers.
      await page.evaluate(
        (isLight) => document.documentElement.classList.toggle('scheme-light', isLight),
        mode === 'light',
      )
      await page.waitForTimeout(settleMs)
      await page.screenshot({ path: join(folder, `${name}-${size}-${mode}.png`) })
    }
  }
}

await main(process.argv[2], process.argv.slice(3))

/**
 * `npm run pictures [folder]`: takes screenshots of every screen at phone, tablet and desktop width in both colour modes.
 * Without a folder it retakes only the README's picture.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { signIn } from './accounts.ts'
import { startApp, type App } from './app.ts'
import { openBrowser, type Browser } from './browser.ts'
import { nowPlaying, openTab, press, region } from './room-page.ts'
import { createRoom } from './rooms.ts'

const widths = [
  { name: 'phone', width: 390, height: 844 },
  { name: 'tablet', width: 820, height: 1180 },
  { name: 'desktop', width: 1440, height: 900 },
]
const readmePicture = join(import.meta.dirname, '..', 'docs', 'pictures', 'room.png')

async function fillRoom(app: App, people: Browser[]): Promise<string> {
  const [owner, ...others] = people
  if (!owner) throw new Error('A room needs an owner')
  const roomId = await createRoom(app, owner.context, { name: 'Sunday Listening Club' })
  await createRoom(app, owner.context, { name: 'Deep Focus' })
  await createRoom(app, owner.context, { name: 'Attic Tapes', isPublic: false, password: 'attic' })
  await Promise.all(people.map(({ page }) => page.goto(`${app.url}/room/${roomId}`)))
  const add = region(owner.page, 'Find Music').getByRole('button', { name: /^Add .* to the queue$/ })
  await openTab(owner.page, 'Find Music')
  for (const index of [0, 1, 2, 3]) {
    await add.nth(index).click()
    await owner.page.getByText('Track Added').first().waitFor()
  }
  const lines = [
    'Morning! What are we starting with?',
    'Something slow, it is raining here',
    'This one. Trust me',
  ]
  for (const [index, line] of lines.entries()) {
    const { page } = people[index % people.length] ?? owner
    await openTab(page, 'Chat')
    const message = region(page, 'Chat').getByRole('textbox', { name: 'Message' })
    await message.fill(line)
    await message.press('Enter')
    await region(others[0]?.page ?? page, 'Chat')
      .getByText(line)
      .waitFor()
  }
  await press(owner.page, 'Play')
  await owner.page
    .getByText(/^In sync/)
    .first()
    .waitFor({ timeout: 20_000 })
  await nowPlaying(owner.page).getByText('0:12').first().waitFor({ timeout: 30_000 })
  return roomId
}

async function takePictures(page: Page, name: string, folder: string): Promise<void> {
  for (const { name: size, width, height } of widths) {
    await page.setViewportSize({ width, height })
    for (const mode of ['dark', 'light']) {
      const toggle = page.getByRole('button', { name: `Switch to ${mode} mode` })
      if (await toggle.isVisible()) await toggle.click()
      await page.evaluate(() => window.scrollTo(0, 0))
      await page.waitForTimeout(400)
      await page.screenshot({ path: join(folder, `${name}-${size}-${mode}.png`), fullPage: true })
    }
  }
}

async function takeAll(app: App, owner: Browser, roomId: string, folder: string): Promise<void> {
  const visitor = await openBrowser()
  mkdirSync(folder, { recursive: true })
  await takePictures(owner.page, 'room', folder)
  for (const [name, path] of [
    ['home', '/'],
    ['login', '/login'],
    ['private', `/room/${roomId}x`],
  ] as const) {
    await visitor.page.goto(app.url + path)
    await visitor.page.waitForTimeout(3_000)
    await takePictures(visitor.page, name, folder)
  }
  await owner.page.goto(`${app.url}/create-room`)
  await owner.page.waitForTimeout(3_000)
  await takePictures(owner.page, 'create-room', folder)
  await visitor.close()
}

const app = await startApp()
const people = await Promise.all(['nora', 'theo', 'mina'].map(() => openBrowser()))
for (const [index, name] of ['nora', 'theo', 'mina'].entries()) {
  const person = people[index]
  if (person) await signIn(app, person.context, name)
}
const roomId = await fillRoom(app, people)
const [owner] = people
if (owner) {
  await owner.page.setViewportSize({ width: 1440, height: 900 })
  await owner.page.evaluate(() => window.scrollTo(0, 0))
  await owner.page.waitForTimeout(6_000)
  mkdirSync(join(readmePicture, '..'), { recursive: true })
  await owner.page.screenshot({ path: readmePicture })
  const folder = process.argv[2]
  if (folder) await takeAll(app, owner, roomId, folder)
}
await Promise.all(people.map((person) => person.close()))
await app.stop()

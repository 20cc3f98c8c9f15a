import { expect, test } from '@playwright/test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp, type App } from './app.ts'
import { openBrowser, type Browser } from './browser.ts'
import { press, region, stage } from './sound/recorder.ts'
import { createRoom, makePerson, signUp } from './rooms.ts'

let app: App
let owner: Browser
const musicDir = mkdtempSync(join(tmpdir(), 'earshot-recorded-'))

test.beforeAll(async () => {
  writeFileSync(join(musicDir, 'recording.webm'), makeRecording())
  app = await startApp({ musicDir })
  owner = await openBrowser()
})
test.afterAll(async () => {
  await owner.close()
  await app.stop()
  rmSync(musicDir, { recursive: true, force: true })
})

/** What recorders write: the element that says how long it is turned into one that readers skip. */
function makeRecording(): Buffer {
  const recording = readFileSync(join(import.meta.dirname, '..', 'server', 'test', 'audio', 'tone.webm'))
  recording.set([0xec, 0x40, 0x08], recording.indexOf(Buffer.from([0x44, 0x89, 0x88])))
  return recording
}

test('4.21a, 9.15 a file that does not say how long it is ends when it ends', async () => {
  const { page } = owner
  await signUp(app, owner.context, makePerson('rec'))
  const roomId = await createRoom(app, owner.context, { name: 'Recorded' })
  await page.goto(`${app.url}/room/${roomId}`)
  await region(page, 'Find Music').getByRole('button', { name: /^Add / }).click()
  await press(page, 'Play')
  await expect(stage(page).getByRole('heading', { level: 3 })).toBeHidden({ timeout: 15_000 })
})

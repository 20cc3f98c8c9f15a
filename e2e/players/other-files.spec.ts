import type { Page } from '@playwright/test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { longTracks } from '../../server/test/long-tracks.ts'
import { makeNoiseWav } from '../sound/recording/noise-tracks.ts'
import { startApp, type App } from '../support/app.ts'
import { noteFirstSound, waitForSound } from '../support/first-sound.ts'
import { expect, openPerson, test, type Person } from '../support/fixtures.ts'
import { openRoom, press } from '../support/room-page.ts'
import { addTracks, createRoom } from '../support/rooms.ts'

// They share a server, which has the music of both.
test.describe.configure({ mode: 'default' })

/** What reads files that are served as they are. */
const code = /\/other-file-.*\.js$/

let app: App
let musicDir: string

test.beforeAll(async () => {
  musicDir = mkdtempSync(join(tmpdir(), 'earshot-other-files-'))
  longTracks.find(({ name }) => name === 'opus.opus')?.write(join(musicDir, 'opus.opus'), 30)
  writeFileSync(join(musicDir, 'wave.wav'), makeNoiseWav({ seconds: 30, title: 'wave', seed: 1 }))
  app = await startApp({ musicDir })
})
test.afterAll(async () => {
  await app.stop()
  rmSync(musicDir, { recursive: true, force: true })
})

/** Opens a new room with a track, and plays it. */
async function play({ page, context }: Person, title: string): Promise<string> {
  const roomId = await createRoom(app, context, { name: 'Attic' })
  await openRoom(page, app.url, roomId)
  await addTracks(app, context, roomId, [title])
  await press(page, 'Play')
  return roomId
}

function countRequests(page: Page): () => number {
  let count = 0
  page.on('request', (request) => (count += code.test(request.url()) ? 1 : 0))
  return () => count
}

test('17.488 what reads files that are served as they are loads with the first of them', async ({
  browser,
}) => {
  const owner = await openPerson(browser, app, 'olivia')
  const { page, context } = owner
  const requests = countRequests(page)
  await noteFirstSound(page)
  const roomId = await play(owner, 'opus')
  await waitForSound(page)
  expect(requests()).toBe(0)
  await addTracks(app, context, roomId, ['wave'])
  await expect.poll(requests).toBe(1)
  await context.close()
})

test('17.488 where it cannot be loaded, the audio element plays the track', async ({ browser }) => {
  const owner = await openPerson(browser, app, 'otto')
  const { page, context } = owner
  await page.route(code, (route) => route.abort())
  await page.addInitScript(() => {
    const play = Reflect.get(HTMLMediaElement.prototype, 'play') as (this: HTMLMediaElement) => Promise<void>
    HTMLMediaElement.prototype.play = function () {
      this.addEventListener('playing', () => (document.documentElement.dataset.played = this.src))
      return play.call(this)
    }
  })
  await play(owner, 'wave')
  const readPlayed = () => page.evaluate(() => document.documentElement.dataset.played ?? '')
  await expect.poll(readPlayed).toContain('/api/tracks/')
  await context.close()
})

import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startApp, type App } from '../app.ts'
import { openPerson, type Person } from '../fixtures.ts'
import { nowPlaying, openRoom, press, waitUntilInSync } from '../room-page.ts'
import { addTracks, createRoom } from '../rooms.ts'
import { expect, test } from './fixtures.ts'
import { makeNoiseWav } from './noise-tracks.ts'
import { hearTwo } from './two-listeners.ts'

// One room after the other, in a library whose files change while they play.
test.describe.configure({ mode: 'serial' })

const seconds = 100
let musicDir: string
let app: App
let owner: Person
let listener: Person
const ends: (() => unknown)[] = []

const wav = (title: string, length = seconds) => makeNoiseWav({ title, seconds: length, seed: title.length })
const pathOf = (name: string) => join(musicDir, name)

test.beforeAll(async ({ browsers }) => {
  musicDir = mkdtempSync(join(tmpdir(), 'earshot-changing-'))
  ends.unshift(() => rmSync(musicDir, { recursive: true, force: true }))
  for (const title of ['Re-tagged', 'Renamed', 'Cut off', 'Deleted', 'Next in line'])
    writeFileSync(pathOf(`${title}.wav`), wav(title))
  app = await startApp({ musicDir })
  ends.unshift(() => app.stop())
  ;[owner, listener] = await Promise.all([
    openPerson(browsers[0], app, 'opal'),
    openPerson(browsers[1], app, 'lars'),
  ])
  ends.unshift(() => Promise.all([owner, listener].map(({ context }) => context.close())))
})
test.afterAll(async () => {
  for (const end of ends) await end()
})

async function playTogether(titles: string[]): Promise<void> {
  const roomId = await createRoom(app, owner.context, { name: `With ${titles[0]}` })
  await openRoom(owner.page, app.url, roomId)
  await addTracks(app, owner.context, roomId, titles)
  await openRoom(listener.page, app.url, roomId)
  await press(owner.page, 'Play')
  await Promise.all([owner, listener].map(({ page }) => waitUntilInSync(page)))
}

test('17.155 a file that is tagged anew while it plays goes on', async ({ recorder }) => {
  await playTogether(['Re-tagged'])
  const heard = await hearTwo(recorder, 15_000, async () => {
    await delay(2_000)
    // As taggers do: another file of another length takes the place of the first.
    writeFileSync(pathOf('new'), Buffer.concat([wav('Re-tagged')]))
    writeFileSync(pathOf('new'), wavWithTitle('Re-tagged, with a longer title'))
    renameSync(pathOf('new'), pathOf('Re-tagged.wav'))
  })
  expect(heard.endsTogetherMs).toBeGreaterThan(3_000)
})

/** The same sound under another title. */
function wavWithTitle(title: string): Buffer {
  return makeNoiseWav({ title, seconds, seed: 'Re-tagged'.length })
}

test('17.155 a file that is renamed while it plays goes on', async ({ recorder }) => {
  await playTogether(['Renamed'])
  const heard = await hearTwo(recorder, 15_000, async () => {
    await delay(2_000)
    renameSync(pathOf('Renamed.wav'), pathOf('Under another name.wav'))
  })
  expect(heard.endsTogetherMs).toBeGreaterThan(3_000)
})

test('17.155 a file that is cut off while it plays ends where its sound ends, for both', async ({
  recorder,
}) => {
  await playTogether(['Cut off', 'Next in line'])
  const heard = await hearTwo(recorder, 40_000, async () => {
    await delay(2_000)
    truncateSync(pathOf('Cut off.wav'), 25 * 96_000)
  })
  expect(heard.endsTogetherMs).toBeGreaterThan(3_000)
})

test('17.155 the next track follows a file that is deleted while it plays', async ({ recorder }) => {
  await playTogether(['Deleted', 'Next in line'])
  const heard = await hearTwo(recorder, 20_000, async () => {
    await delay(2_000)
    rmSync(pathOf('Deleted.wav'))
  })
  expect(heard.endsTogetherMs).toBeGreaterThan(3_000)
})

test('17.155 a file that is copied in slowly is found whole, and plays to its end', async () => {
  const bytes = wav('Slow copy', 30)
  for (let at = 0; at < bytes.length; at += bytes.length / 10) {
    appendFileSync(pathOf('Slow copy.wav'), bytes.subarray(at, at + bytes.length / 10))
    await delay(700)
  }
  await playTogether(['Slow copy'])
  await expect(nowPlaying(owner.page).getByText('0:30')).toBeVisible({ timeout: 30_000 })
})

import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'
import { nowPlaying, press, region } from './room-page.ts'

// Named here and made later: workers that run other files load this one as well.
const musicDir = join(tmpdir(), `earshot-recorded-${randomUUID()}`)
test.beforeAll(() => {
  mkdirSync(musicDir)
  writeFileSync(join(musicDir, 'recording.webm'), makeRecording())
})
test.afterAll(() => rmSync(musicDir, { recursive: true, force: true }))
test.use({ appOptions: { musicDir } })

/** A file as recorders write it: with the duration element turned into one that parsers skip. */
function makeRecording(): Buffer {
  const recording = readFileSync(join(import.meta.dirname, '..', 'server', 'test', 'audio', 'tone.webm'))
  recording.set([0xec, 0x40, 0x08], recording.indexOf(Buffer.from([0x44, 0x89, 0x88])))
  return recording
}

test('10.12b a file without a duration ends when its sound ends', async ({ owner: { page }, room }) => {
  await page.goto(room.path)
  await region(page, 'Find Music').getByRole('button', { name: /^Add / }).click()
  await press(page, 'Play')
  await expect(nowPlaying(page).getByRole('heading', { level: 3 })).toBeHidden()
})

import type { BrowserContext, Page } from '@playwright/test'
import { limits } from '@earshot/core/limits'
import { expect, test } from '../support/fixtures.ts'
import {
  addFirstTracks,
  leaveRoom,
  nowPlaying,
  openRoom,
  press,
  waitUntilInSync,
} from '../support/room-page.ts'
import { fillQueue } from '../support/rooms.ts'

declare global {
  interface Window {
    /** Use of sound by the page, and the events in which it created its contexts. */
    sound: {
      contexts: AudioContext[]
      elements: HTMLAudioElement[]
      createdIn: (string | null)[]
      readings: number
      frames: number
    }
  }
}

const suspendAfterMs = limits.outputRestAfterMs
const shortenedMs = 1_500

/** Records what a page does with sound, and its frames, and shortens the 30 s after which it suspends its audio context. */
async function watchSound(context: BrowserContext): Promise<void> {
  await context.addInitScript(
    ([longMs, shortMs]) => {
      const sound: Window['sound'] = { contexts: [], elements: [], createdIn: [], readings: 0, frames: 0 }
      window.sound = sound
      const { AudioContext: Original, Audio: OriginalAudio } = window
      const wait = window.setTimeout.bind(window)
      const nextFrame = window.requestAnimationFrame.bind(window)
      Object.assign(window, {
        requestAnimationFrame: (draw: FrameRequestCallback) => {
          sound.frames += 1
          return nextFrame(draw)
        },
        setTimeout: (run: () => void, ms?: number) => wait(run, ms === longMs ? shortMs : ms),
        Audio: function (src?: string) {
          const element = new OriginalAudio(src)
          sound.elements.push(element)
          return element
        },
        AudioContext: class extends Original {
          constructor(options?: AudioContextOptions) {
            super(options)
            sound.contexts.push(this)
            sound.createdIn.push(window.event?.type ?? null)
          }
          override getOutputTimestamp() {
            sound.readings += 1
            return super.getOutputTimestamp()
          }
        },
      })
    },
    [suspendAfterMs, shortenedMs] as const,
  )
}

const readStates = (page: Page) => page.evaluate(() => window.sound.contexts.map(({ state }) => state))

/** Reads the element of its own that keeps the media session while the library sounds. */
const readSilence = (page: Page) =>
  page.evaluate(() => {
    const silence = window.sound.elements.find(({ loop }) => loop)
    return silence && [silence.src.slice(0, 5), silence.duration, silence.muted, silence.paused]
  })

test('12.20a, 12.20d, 12.21, 17.370 a page has one audio context, which rests in a paused room; an element keeps the media session', async ({
  app,
  owner,
  listener,
  room,
}) => {
  const people = [owner, listener]
  for (const { context } of people) await watchSound(context)
  for (const { page } of people) await openRoom(page, app.url, room.id)
  await addFirstTracks(owner.page, 2)
  await press(owner.page, 'Play')
  for (const { page } of people) await waitUntilInSync(page)
  // Without a request: it is a blob.
  await expect.poll(() => readSilence(owner.page)).toEqual(['blob:', 6, false, false])
  await press(owner.page, 'Pause')
  await expect.poll(() => readSilence(owner.page)).toEqual(['blob:', 6, false, true])

  for (const { page } of people) await expect.poll(() => readStates(page)).toEqual(['suspended'])
  const countWork = () => listener.page.evaluate(() => window.sound.readings + window.sound.frames)
  // Longer than anything that recurs would rest, and again where a part that loads late still draws a frame.
  await expect(async () => {
    const before = await countWork()
    await listener.page.waitForTimeout(2_000)
    expect(await countWork()).toBe(before)
  }).toPass({ timeout: 15_000 })

  await press(owner.page, 'Play')
  for (const { page } of people) {
    await waitUntilInSync(page)
    await expect.poll(() => readStates(page)).toEqual(['running'])
  }
})

test('12.22 the click that joins a room unlocks the sound, and the next room uses the same context', async ({
  app,
  owner,
  listener: { page, context },
  room,
}) => {
  await fillQueue(app, owner.context, room.id, 1)
  await watchSound(context)
  await page.goto('/')
  for (let visit = 0; visit < 2; visit += 1) {
    await page.getByRole('button', { name: `Join Room: ${room.name}` }).click()
    await expect(nowPlaying(page)).toBeVisible()
    await expect.poll(() => page.evaluate(() => window.sound.createdIn)).toEqual(['click'])
    await leaveRoom(page)
  }
})

test(
  '17.371 where iOS suspends the sound, as without headphones, it waits for Play here',
  { tag: '@long' },
  async ({ app, owner: { page, context }, room }) => {
    await watchSound(context)
    await context.addInitScript(() => Object.assign(navigator, { audioSession: { type: 'auto' } }))
    await openRoom(page, app.url, room.id)
    await addFirstTracks(page, 1)
    await press(page, 'Play')
    await waitUntilInSync(page)
    await page.evaluate(() => window.sound.contexts[0]?.suspend())
    await expect(nowPlaying(page).getByText('Paused on this device')).toBeVisible()
    await nowPlaying(page).getByText('Play here').click()
    await waitUntilInSync(page)
  },
)

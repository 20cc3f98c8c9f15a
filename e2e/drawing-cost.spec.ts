import { expect, test } from './fixtures.ts'
import { addFirstTracks, press, waitUntilInSync } from './room-page.ts'

const seconds = 5

test('17.6 a playing room costs at most a layout a second, and a paused one none', async ({
  owner: { page, context },
  room,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto(room.path)
  await addFirstTracks(page, 1)
  await press(page, 'Play')
  await waitUntilInSync(page)
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  const read = async (name: string) => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find((metric) => metric.name === name)?.value ?? 0
  }
  /** Layouts of five seconds, and the share of a core that scripts, styles and layouts took. */
  const measure = async () => {
    const before = { layouts: await read('LayoutCount'), busy: await read('TaskDuration') }
    await page.waitForTimeout(seconds * 1_000)
    return {
      layouts: (await read('LayoutCount')) - before.layouts,
      busy: ((await read('TaskDuration')) - before.busy) / seconds,
    }
  }
  // The notices about the track and the sync come and go first.
  await page.waitForTimeout(6_000)
  const playing = await measure()
  await press(page, 'Pause')
  await page.waitForTimeout(2_000)
  const paused = await measure()
  test.info().annotations.push({ type: 'cost', description: JSON.stringify({ playing, paused }) })
  expect(playing.layouts).toBeLessThanOrEqual(seconds + 1)
  expect(paused.layouts).toBeLessThanOrEqual(1)
})

import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { addFirstTracks, nowPlaying, press } from '../support/room-page.ts'

/** The positions of the seeks that a page has sent, in ms. One that is sent again, as a slow server gets it, counts once. */
function recordSeeks(page: Page): number[] {
  const positions: number[] = []
  const known = new Set<string>()
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const [, json = '[]'] = /^42\d+(\["direct_command",.*)$/.exec(String(payload)) ?? []
      const [, sent] = JSON.parse(json) as [
        string?,
        { command: string; position: number; commandId: string }?,
      ]
      if (sent?.command !== 'seek' || known.has(sent.commandId)) return
      known.add(sent.commandId)
      positions.push(sent.position)
    }),
  )
  return positions
}

/** The middle of the seek bar, and a function that moves the mouse to a share of its width. */
async function findBar(page: Page) {
  const bar = nowPlaying(page).locator('[data-orientation]:has(> [data-orientation] input)').first()
  const { x, y, width, height } = (await bar.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return { moveTo: (share: number) => page.mouse.move(x + width * share, y + height / 2, { steps: 5 }) }
}

test('12.6 a drag shows its time and is one seek; away and back does not freeze the bar', async ({
  owner: { page },
  room,
}) => {
  const seeks = recordSeeks(page)
  await page.goto(room.path)
  await addFirstTracks(page, 1)
  const slider = nowPlaying(page).getByRole('slider', { name: 'Position' })
  const valueMs = async () => Number(await slider.inputValue())
  await expect(slider).toHaveAttribute('max', /\d{4}/)
  const durationMs = Number(await slider.getAttribute('max'))
  const { moveTo } = await findBar(page)
  await moveTo(0.25)
  await page.mouse.down()
  await moveTo(0.5)
  await expect.poll(valueMs).toBeGreaterThan(0.45 * durationMs)
  await expect(slider).not.toHaveAttribute('aria-valuetext', /^0:0\d/)
  expect(seeks).toEqual([])
  await page.mouse.up()
  await expect.poll(() => seeks.length).toBe(1)
  expect(seeks[0]).toBeCloseTo(durationMs / 2, -4)

  await press(page, 'Play')
  await moveTo(0.5)
  await page.mouse.down()
  await moveTo(0.8)
  await moveTo(0.1)
  await page.mouse.up()
  await expect.poll(() => seeks.length).toBe(2)
  // Not the middle, where the drag began: the bar shows what was sought, and moves on from there.
  const [, soughtMs = 0] = seeks
  expect(soughtMs).toBeLessThan(0.2 * durationMs)
  // A busy page draws it some moments after it was sent.
  await expect.poll(valueMs).toBeLessThan(0.45 * durationMs)
  await expect.poll(valueMs).toBeGreaterThan(soughtMs + 500)
  expect(await valueMs()).toBeLessThan(0.45 * durationMs)
})

test(
  '12.6 an arrow that is held for seconds is one seek',
  { tag: '@long' },
  async ({ owner: { page }, room }) => {
    const seeks = recordSeeks(page)
    await page.goto(room.path)
    await addFirstTracks(page, 1)
    await nowPlaying(page).getByRole('slider', { name: 'Position' }).focus()
    // Each further `down` of a key that is down repeats it.
    for (let count = 0; count < 8; count += 1) await page.keyboard.down('ArrowRight')
    expect(seeks).toEqual([])
    await page.keyboard.up('ArrowRight')
    await expect.poll(() => seeks).toEqual([40_000])
  },
)

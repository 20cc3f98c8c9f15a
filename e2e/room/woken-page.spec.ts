import { expect, test } from '../support/fixtures.ts'
import { pausePageClock } from '../support/page-clock.ts'

const hourMs = 3_600_000

test('17.467 the connection of a page whose machine slept is opened again at once', async ({
  owner: { page },
  room,
}) => {
  const clock = await pausePageClock(page)
  const openedAtMs: number[] = []
  const closedAtMs: number[] = []
  page.on('websocket', (socket) => {
    openedAtMs.push(clock.elapsedMs)
    socket.on('close', () => closedAtMs.push(clock.elapsedMs))
  })
  await page.goto(room.path)
  await clock.advanceUntil(() => page.getByText('Loading room...').first().isHidden(), 10_000)
  await clock.advanceUntil(() => page.getByRole('heading', { name: room.name }).isVisible(), 10_000)
  const connections = openedAtMs.length

  // What a sleep looks like: only the system's clock goes on.
  await page.evaluate((ms) => {
    const now = Date.now.bind(Date)
    Date.now = () => now() + ms
  }, hourMs)
  await clock.advanceUntil(() => openedAtMs.length > connections, 30_000)
  const [closedMs = 0] = closedAtMs.slice(-1)
  expect((openedAtMs.at(-1) ?? 0) - closedMs).toBeLessThan(1_000)
  await clock.advanceUntil(() => page.getByRole('heading', { name: room.name }).isVisible(), 10_000)
})

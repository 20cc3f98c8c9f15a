import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { pausePageClock } from '../support/page-clock.ts'
import { openSocket } from '../support/rooms.ts'

/** Refuses a page's joins as a failing server would, until `admit` is called. */
async function refuseJoins(page: Page, onJoin: () => void): Promise<{ admit: () => void }> {
  let isAdmitted = false
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((message) => {
      const call = /^42(\d+)\["join_room"/.exec(String(message))
      if (call) onJoin()
      if (!call || isAdmitted) return server.send(message)
      socket.send(`43${call[1]}[{"ok":false,"error":{"code":"internal","message":"In trouble"}}]`)
    })
  })
  const admit = () => {
    isAdmitted = true
  }
  return { admit }
}

const toSeconds = (ms: number) => Math.round(ms / 1_000)

test('4.8a, 4.8b, 8.3, 8.2b, 2.20a, 2.20b, 9.5, 9.8 a join that fails is retried 3 times, then every 5 s; after 15 s the page says so, connects anew when asked, then joins', async ({
  owner: { page },
  room,
}) => {
  const clock = await pausePageClock(page)
  const joinedAtMs: number[] = []
  const { admit } = await refuseJoins(page, () => joinedAtMs.push(clock.elapsedMs))
  await page.goto(room.path)
  const loading = page.getByText('Loading room...').first()
  const connecting = page.getByText('Connecting to room server...')
  await clock.advanceUntil(() => loading.isVisible(), 5_000)
  const openedAtMs = clock.elapsedMs
  await clock.advanceUntil(() => page.getByText('Error joining room').isVisible(), 5_000)
  await expect(loading).toBeVisible()
  await expect(page.getByText('Could not join the room. Please try again.')).toBeVisible()

  await clock.advanceUntil(() => connecting.isVisible(), 20_000)
  expect(toSeconds(clock.elapsedMs - openedAtMs)).toBe(15)
  await expect(page.getByRole('heading', { name: 'Room not found' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Retry Connection' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Return Home' })).toBeVisible()
  const [firstMs = 0, ...retriesMs] = joinedAtMs
  // The checks every 5 s skip the time of the retries.
  const retries = retriesMs.map((atMs) => toSeconds(atMs - firstMs))
  expect(retries.slice(0, 3)).toEqual([2, 4, 6])
  expect(retries[3]).toBeGreaterThanOrEqual(9)
  expect(retries[3]).toBeLessThanOrEqual(11)

  const joined = joinedAtMs.length
  await page.getByRole('button', { name: 'Retry Connection' }).click()
  await clock.advanceUntil(() => page.getByText('Reconnecting').first().isVisible(), 2_000)
  await clock.advanceUntil(() => joinedAtMs.length > joined, 5_000)
  admit()
  await clock.advanceUntil(() => page.getByRole('heading', { name: room.name }).isVisible(), 10_000)
})

test(
  '8.3, 8.2b a join that the server refuses is reported and retried',
  { tag: '@long' },
  async ({ app, listener, room }) => {
    const { page, context } = listener
    const socket = openSocket(app, await context.cookies(app.url))
    const isRefused = async () => {
      const answer: unknown = await socket.emitWithAck('join_room', { roomId: 'elsewhere' })
      return JSON.stringify(answer).includes('rate_limited')
    }
    // Repeated: on a machine so busy that the window of the limit ends before the page joins, it is admitted.
    await expect(async () => {
      await expect.poll(isRefused, { intervals: [0] }).toBe(true)
      await page.goto(room.path)
      await Promise.all(
        ['Error joining room', 'Could not join the room. Please try again.'].map((text) =>
          expect(page.getByText(text)).toBeVisible({ timeout: 5_000 }),
        ),
      )
    }).toPass()
    await expect(page.getByRole('heading', { name: room.name })).toBeVisible()
    socket.disconnect()
  },
)

import type { Page } from '@playwright/test'
import { io } from 'socket.io-client'
import type { App } from './app.ts'
import { expect, type Person, test } from './fixtures.ts'
import { nowPlaying, region } from './room-page.ts'
import { addTracks } from './rooms.ts'

/** Adds `count` entries in one event, as a client of section 7 does. */
async function fillQueue(app: App, { context }: Person, roomId: string, count: number): Promise<void> {
  const cookies = await context.cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const { tracks } = (await (await context.request.get(`${app.url}/api/library`)).json()) as {
    tracks: { id: string }[]
  }
  const socket = io(app.url, { transports: ['websocket'], extraHeaders: { cookie }, forceNew: true })
  try {
    const queue = Array.from({ length: count }, (_, index) => ({ id: tracks[index % tracks.length]?.id }))
    await socket.emitWithAck('join_room', { roomId })
    const answer: unknown = await socket.emitWithAck('queue_updated', { roomId, queue })
    expect(answer).toMatchObject({ ok: true })
  } finally {
    socket.close()
  }
}

const titles = (page: Page) => region(page, 'Queue').getByRole('listitem').locator('p:first-child')

test('17.42, 17.43, 17.44 a dragged entry moves for everybody; removing is undone; clearing asks', async ({
  app,
  owner,
  listener,
  room,
}) => {
  const { page } = owner
  await page.goto(room.path)
  await expect(region(page, 'Queue')).toBeVisible()
  const queued = ['Neon Harbour', 'Glasshouse', 'Orchard Path']
  await addTracks(app, owner.context, room.id, ['Pocket Comet', ...queued])
  await listener.page.goto(room.path)
  await expect(titles(listener.page)).toHaveText(queued)

  const from = await page.getByRole('button', { name: 'Move Orchard Path', exact: true }).boundingBox()
  const to = await page.getByRole('button', { name: 'Move Neon Harbour', exact: true }).boundingBox()
  if (!from || !to) throw new Error('A handle is missing')
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y, { steps: 8 })
  await page.mouse.up()
  const moved = ['Orchard Path', 'Neon Harbour', 'Glasshouse']
  await expect(titles(page)).toHaveText(moved)
  await expect(titles(listener.page)).toHaveText(moved)

  await listener.page.getByRole('button', { name: 'Remove Neon Harbour from the queue' }).click()
  await expect(titles(page)).toHaveText(['Orchard Path', 'Glasshouse'])
  await listener.page.getByRole('button', { name: 'Undo' }).click()
  await expect(titles(page)).toHaveText(moved)

  await page.getByRole('button', { name: 'More for Glasshouse' }).click()
  await page.getByRole('menuitem', { name: 'Play now' }).click()
  await expect(nowPlaying(page).getByRole('heading', { name: 'Glasshouse' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear queue' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Clear queue' }).click()
  await expect(region(listener.page, 'Queue').getByText('Queue is empty')).toBeVisible()
})

/** Resolves to how long a click or key takes until what it changes is drawn, in ms. */
async function timeUntilDrawn(page: Page, act: 'mute' | 'add', times: number): Promise<number[]> {
  return await page.evaluate(
    async ([kind, count]) => {
      const drawn = () =>
        new Promise<number>((resolve) =>
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel()
            port1.addEventListener('message', () => resolve(performance.now()))
            port1.start()
            port2.postMessage(null)
          }),
        )
      const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
      const spent: number[] = []
      for (let index = 0; index < Number(count); index++) {
        await pause(150)
        await drawn()
        performance.mark('act')
        if (kind === 'mute')
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'm', bubbles: true }))
        else document.querySelector<HTMLElement>('[aria-label^="Add "][aria-label$="to the queue"]')?.click()
        const scripted = performance.now() - performance.measure('act', 'act').startTime
        await drawn()
        const { duration } = performance.measure('until drawn', 'act')
        spent.push(Math.max(scripted, duration))
      }
      return spent
    },
    [act, times] as const,
  )
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Infinity

test('17.49 with 1000 entries few are drawn, and muting and adding stay fast', async ({
  app,
  owner,
  room,
}) => {
  const { page } = owner
  await page.goto(room.path)
  await expect(region(page, 'Queue')).toBeVisible()
  await addTracks(app, owner.context, room.id, ['Neon Harbour'])
  await fillQueue(app, owner, room.id, 985)
  await expect(region(page, 'Queue').getByText(/^985 tracks/)).toBeVisible()
  expect(await region(page, 'Queue').getByRole('listitem').count()).toBeLessThan(30)
  await expect(page.getByRole('button', { name: /^Add .* to the queue$/ }).first()).toBeVisible()
  const figures = {
    mute: await timeUntilDrawn(page, 'mute', 9),
    add: await timeUntilDrawn(page, 'add', 5),
  }
  test.info().annotations.push({ type: 'figures', description: JSON.stringify(figures) })
  // A frame is 17 ms, and the machine may be busy.
  expect(median(figures.mute)).toBeLessThan(50)
  expect(median(figures.add)).toBeLessThan(100)
  await expect(region(page, 'Queue').getByText(/^990 tracks/)).toBeVisible()
})

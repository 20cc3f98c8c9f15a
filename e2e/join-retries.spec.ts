import { expect, test, type Page } from '@playwright/test'
import { startApp, type App } from './app.ts'
import { openBrowser, type Browser } from './browser.ts'
import { createRoom, makePerson, signUp } from './rooms.ts'

let app: App
let guest: Browser
let roomId: string

test.beforeAll(async () => {
  app = await startApp()
  guest = await openBrowser()
  await signUp(app, guest.context, makePerson('gus'))
  roomId = await createRoom(app, guest.context, { name: 'Crowded House' })
})
test.afterAll(async () => {
  await guest.close()
  await app.stop()
})

/** Refuses a page's joins as a server in trouble would, until they are admitted, and notes when they came. */
async function refuseJoins(page: Page) {
  const joins: number[] = []
  let isAdmitted = false
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((message) => {
      const call = /^42(\d+)\["join_room"/.exec(String(message))
      if (call) joins.push(performance.now())
      if (!call || isAdmitted) return server.send(message)
      socket.send(`43${call[1]}[{"ok":false,"error":{"code":"internal","message":"In trouble"}}]`)
    })
  })
  const admit = () => {
    isAdmitted = true
  }
  return { joins, admit }
}

test('4.8a, 4.8b, 8.3, 2.19a, 9.5, 9.8 joins that fail: 3 tries more, then a look every 5 s; 15 s without a room, then in', async () => {
  const { page } = guest
  const { joins, admit } = await refuseJoins(page)
  const openedAt = performance.now()
  await page.goto(`${app.url}/room/${roomId}`)
  await expect(page.getByText('Loading room...').first()).toBeVisible()
  await expect(page.getByText('Error joining room')).toBeVisible()
  await expect(page.getByText('Could not join the room. Please try again.')).toBeVisible()

  await expect(page.getByRole('heading', { name: 'Room not found' })).toBeVisible({ timeout: 25_000 })
  expect(performance.now() - openedAt).toBeGreaterThan(15_000)
  await expect(
    page.getByText("The room you're looking for doesn't exist or you don't have permission to join."),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: 'Return Home' })).toBeVisible()
  const [first = 0, ...others] = joins
  const afterMs = others.map((at) => Math.round((at - first) / 1_000) * 1_000)
  expect(afterMs.slice(0, 3)).toEqual([2_000, 4_000, 6_000])
  expect(afterMs.slice(3).filter((ms) => ms < 9_000)).toEqual([])
  expect(afterMs.length).toBeGreaterThan(3)

  admit()
  await expect(page.getByRole('heading', { name: 'Crowded House' })).toBeVisible({ timeout: 10_000 })
})

import type { Locator } from '@playwright/test'
import { connectionTester, type ConnectionTester } from '../support/connection-tester.ts'
import { expect, openPerson, test, type Person } from '../support/fixtures.ts'
import { openTab, region } from '../support/room-page.ts'
import { createRoom } from '../support/rooms.ts'

// The tests share a page that shows the debug tools.
test.describe.configure({ mode: 'serial' })

let owner: Person
let roomId: string
let tester: ConnectionTester

test.beforeAll(async ({ browser, sharedApps }) => {
  const app = await sharedApps.get({})
  owner = await openPerson(browser, app, 'debby')
  roomId = await createRoom(app, owner.context, { name: 'Workshop' })
  tester = connectionTester(owner.page)
  await owner.page.goto(`/room/${roomId}`)
  await toggle('Show Debug Tools').click()
  await expect(tester.card).toBeVisible()
})
test.afterAll(() => owner.context.close())

const toggle = (name: string): Locator => owner.page.getByRole('button', { name, exact: true })

test('2.22c the debug tools are shown and hidden, remember that, and load on demand', async () => {
  const { page } = owner
  await toggle('Hide Debug Tools').click()
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  await page.reload()
  await expect(toggle('Show Debug Tools')).toHaveAttribute('aria-expanded', 'false')
  await page.waitForLoadState('networkidle')
  const isTools = (url: string) => /debug-tools/.test(url)
  expect(loaded.filter(isTools)).toEqual([])
  await toggle('Show Debug Tools').click()
  await expect(tester.card).toBeVisible()
  expect(loaded.filter(isTools)).not.toEqual([])
  await expect(toggle('Hide Debug Tools')).toHaveAttribute('aria-expanded', 'true')
  await page.reload()
  await expect(tester.card).toBeVisible()
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(tester.card).toBeVisible()
    await expect(toggle('Hide Debug Tools')).toBeVisible()
  }
  await toggle('Hide Debug Tools').click()
  await expect(tester.card).toBeHidden()
  await toggle('Show Debug Tools').click()
})

test('17.408 debug tools that cannot be loaded offer to reload the page', async () => {
  const { page } = owner
  await page.route('**/assets/debug-tools-*.js', (route) => route.abort())
  await page.reload()
  const reload = page.getByRole('button', { name: 'Reload', exact: true })
  await expect(reload).toBeVisible()
  await page.unrouteAll()
  await reload.click()
  await expect(tester.card).toBeVisible()
})

test('2.37a the tester shows state, server and latency of the connection', async ({ app }) => {
  const { badge, fact } = tester
  await expect(badge).toHaveText('Connected')
  await expect(fact('Server')).toHaveText(new URL(app.url).host)
  await expect(fact('Latency')).toHaveText(/^\d+ ms$/)
  await expect(fact('Transport')).toHaveText('WebSocket')
})

test('2.38a, 8.16b ping, echo and a sync request are answered', { tag: '@long' }, async () => {
  const { tests, start, result, notice } = tester
  await start('Send ping')
  await expect(notice('Ping successful')).toBeVisible()
  await expect(result('Ping')).toContainText(/Server responded in \d+ms/)
  await start('Send echo')
  await expect(result('Echo')).toContainText('Echo successful')
  const room = tests.getByLabel('Room ID')
  await expect(room).toHaveValue(roomId)
  await start('Request sync')
  await expect(result('Sync request')).toContainText('“Workshop” came back in')
  await room.fill('nowhere')
  await room.press('Enter')
  await expect(result('Sync request')).toContainText('room_not_found: Room not found')
  await room.fill(' ')
  await start('Request sync')
  await expect(tests.getByText('Enter the ID of a room')).toBeVisible()
})

test('2.38a, 5.11, 8.16a a test message needs text, and its answer is shown', { tag: '@long' }, async () => {
  const { tests, openTab, start, result } = tester
  await openTab('Advanced Tests')
  const event = tests.getByLabel('Event type')
  const message = tests.getByRole('textbox', { name: 'Message' })
  await expect(event.getByRole('option')).toHaveText([
    'echo',
    'ping',
    'test_message',
    'request_sync',
    'playback_update',
  ])
  await message.fill('   ')
  await start('Send message')
  await expect(tests.getByText('Empty message')).toBeVisible()
  await message.fill('Is anybody there?')
  await expect(tests.getByText('Empty message')).toBeHidden()
  for (const name of ['echo', 'ping', 'request_sync', 'playback_update']) {
    await event.selectOption(name)
    await start('Send message')
    await expect(result('Send message')).toContainText(`${name} was answered in`)
  }
  await event.selectOption('test_message')
  await message.press('Enter')
  await expect(result('Send message')).toContainText('unknown_event')
})

test(
  '2.37b the latest messages in both directions are listed, newest first, with their answers',
  { tag: '@long' },
  async () => {
    const { card, tests, start } = tester
    await card.getByRole('button', { name: 'Debug' }).click()
    const sent = card.getByRole('list', { name: 'Sent' }).getByRole('listitem')
    await expect(sent.filter({ hasText: 'test_message' })).toContainText('unknown_event after')
    const answered = sent.filter({ hasText: 'playback_update' }).filter({ hasText: 'Is anybody there?' })
    await expect(answered).toContainText(/acknowledged in \d+ ms/)
    const received = card.getByRole('list', { name: 'Received' }).getByRole('listitem')
    await openTab(owner.page, 'Chat')
    const chat = region(owner.page, 'Chat').getByRole('textbox', { name: 'Message' })
    await chat.fill('Hello workshop')
    await chat.press('Enter')
    await expect(received.filter({ hasText: 'Hello workshop' })).toContainText('message')
    await tests.getByLabel('Event type').selectOption('echo')
    const message = tests.getByRole('textbox', { name: 'Message' })
    for (let number = 1; number <= 21; number++) {
      await message.fill(`Number ${number}.`)
      await start('Send message')
      await expect(sent.filter({ hasText: `Number ${number}.` })).toContainText('acknowledged')
    }
    await expect(sent).toHaveCount(20)
    await expect(sent.filter({ hasText: 'Number 1.' })).toHaveCount(0)
    const texts = await sent.allTextContents()
    const numbers = texts.flatMap((text) => /Number (\d+)\./.exec(text)?.[1] ?? [])
    expect(numbers.map(Number)).toEqual(numbers.map((_, index) => 21 - index))
    await card.getByRole('button', { name: 'Debug' }).click()
    await expect(received).toHaveCount(0)
  },
)

test('2.38b, 8.16b health and CORS are checked over plain HTTP', { tag: '@long' }, async () => {
  const { openTab, start, result, notice } = tester
  await openTab('CORS Tests')
  await start('Check health')
  await expect(result('HTTP health check')).toContainText('Server is healthy')
  await expect(result('HTTP health check')).toContainText('"database": "ok"')
  await start('Check CORS')
  await expect(notice('CORS is enabled')).toBeVisible()
  await expect(result('CORS header check')).toContainText('access-control-allow-origin: *')
})

test('2.38b, 8.16b failures over plain HTTP are reported', { tag: '@long' }, async () => {
  const { page } = owner
  const { start, result, notice } = tester
  await page.route('**/health', (route) => route.fulfill({ status: 503, json: { status: 'error' } }))
  await start('Check health')
  await expect(result('HTTP health check')).toContainText(/Server is not healthy ?HTTP 503 in \d+ms/)
  await start('Check CORS')
  await expect(notice('CORS is not enabled')).toBeVisible()
  await page.unroute('**/health')
  await page.route('**/health', (route) => route.abort())
  await start('Check health')
  await expect(result('HTTP health check')).toContainText('Health check failed')
  await start('Check CORS')
  await expect(notice('CORS check failed')).toBeVisible()
  await page.unroute('**/health')
})

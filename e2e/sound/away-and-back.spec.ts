import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { signIn } from '../support/accounts.ts'
import { type Browser, launchOptions, openBrowser } from '../support/browser.ts'
import { hideSplash, openPerson } from '../support/fixtures.ts'
import { openRoom, press, waitUntilInSync } from '../support/room-page.ts'
import { addTracks, createRoom } from '../support/rooms.ts'
import { listDescendants } from './recording/audio-priority.ts'
import { expect, test } from './fixtures.ts'
import { startRecorder, type Recorder } from './recording/recorder.ts'
import { windowMs } from './skew/session-windows.ts'

// One room, whose listener is away for a while. The browser has none of a test tool's flags, which turn its cache of
// pages off.
test.describe.configure({ mode: 'serial' })

const apartMs = 20
/** Of a page that is left and of one that begins, on a machine that is so busy that sound stutters. */
const mostWrongMs = 400
/** A busy machine delays any page, so it is tried again. */
const patience = { timeout: 120_000, intervals: [0] }

let threeDevices: Recorder
let address: string
let listener: Browser
const ends: (() => Promise<unknown>)[] = []

test.beforeAll(async ({ app }) => {
  threeDevices = await startRecorder(3)
  ends.unshift(() => threeDevices.stop())
  pactl('set-default-sink', 'listener1')
  const browser = await chromium.launch(launchOptions({ sound: threeDevices.environment(0) }))
  ends.unshift(() => browser.close())
  const owner = await openPerson(browser, app, 'otis')
  const roomId = await createRoom(app, owner.context, { name: 'Revolving Door' })
  address = `${app.url}/room/${roomId}`
  await openRoom(owner.page, app.url, roomId)
  await addTracks(app, owner.context, roomId, ['Alpha'])
  await press(owner.page, 'Play')
  // On the default device, whichever that is.
  const { PULSE_SERVER = '' } = threeDevices.environment(1)
  listener = await openBrowser({ sound: { PULSE_SERVER }, isUnmodified: true })
  ends.unshift(() => listener.close())
  await hideSplash(listener.context)
  await signIn(app, listener.context, 'lotta', [app.publicUrl])
  await listener.page.goto(address)
  await waitUntilInSync(listener.page)
})
test.afterAll(async () => {
  for (const end of ends) await end()
})

function pactl(...args: string[]): void {
  execFileSync('pactl', args, { env: { ...process.env, ...threeDevices.environment(0) } })
}

interface Heard {
  /** Until the last of the other music, or of sound that is apart, ended. */
  wrongMs: number
  /** From the end of the recording backwards: how long the listener has been in sync. */
  inSyncMs: number
  /** How long the listener was silent. */
  silentMs: number
}

/** Records the listener on a device while `action` runs, and `ms` more. */
async function listen(device: number, ms: number, action: () => Promise<unknown>): Promise<Heard> {
  const stop = await threeDevices.start()
  await action()
  await delay(ms)
  const windows = (await stop()).windows()
  const states = windows.map(({ sounding, pairs }) => {
    if (!sounding[device]) return 'silent'
    const lagMs = pairs.find(({ between }) => between[0] === 0 && between[1] === device)?.lagMs ?? null
    return lagMs !== null && Math.abs(lagMs) < apartMs ? 'in sync' : 'wrong'
  })
  const count = (state: string) => states.filter((other) => other === state).length * windowMs
  const lastOut = states.findLastIndex((state) => state !== 'in sync')
  const heard = {
    wrongMs: count('wrong'),
    silentMs: count('silent'),
    inSyncMs: (states.length - 1 - lastOut) * windowMs,
  }
  console.log(`${test.info().title.slice(0, 60)}: ${JSON.stringify(heard)}`)
  return heard
}

test('17.107 a listener who reloads hears nothing but the room, in sync within 2 s', async () => {
  await expect(async () => {
    const heard = await listen(1, 5_000, () => listener.page.reload())
    expect(heard.wrongMs).toBeLessThan(mostWrongMs)
    expect(heard.silentMs).toBeLessThan(2_000)
    expect(heard.inSyncMs).toBeGreaterThan(1_000)
  }).toPass(patience)
})

for (const [name, page] of [
  ['another page of the server', '/health'],
  ['an empty page', 'about:blank'],
] as const) {
  test(`17.107 a listener who goes back from ${name} hears nothing but the room`, async ({ app }) => {
    await expect(async () => {
      const heard = await listen(1, 5_000, async () => {
        await listener.page.goto(page.startsWith('/') ? app.url + page : page)
        await delay(1_000)
        await listener.page.goBack({ waitUntil: 'commit' })
      })
      expect(heard.wrongMs).toBeLessThan(mostWrongMs)
      expect(heard.silentMs).toBeGreaterThan(900)
      expect(heard.silentMs).toBeLessThan(3_500)
      expect(heard.inSyncMs).toBeGreaterThan(1_000)
    }).toPass(patience)
  })
}

test('17.104 the sound moves to another default device, in sync', async () => {
  const heard = await listen(2, 8_000, async () => pactl('set-default-sink', 'listener2'))
  expect(heard.wrongMs).toBeLessThan(mostWrongMs)
  expect(heard.inSyncMs).toBeGreaterThan(2_000)
  await listen(1, 3_000, async () => pactl('set-default-sink', 'listener1'))
})

test('15.49 a browser that was stopped for 40 s plays on where the room is', async () => {
  const root = listDescendants(String(process.pid)).find((pid) => {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return command.includes('--remote-debugging-port=0') && !command.includes('--type=')
  })
  const processes = [root ?? '', ...listDescendants(root ?? '')].map(Number)
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of processes) process.kill(pid, signal)
  }
  const heard = await listen(1, 20_000, async () => {
    signalAll('SIGSTOP')
    await delay(40_000)
    signalAll('SIGCONT')
  })
  expect(heard.wrongMs).toBeLessThan(4_000)
  expect(heard.inSyncMs).toBeGreaterThan(5_000)
})

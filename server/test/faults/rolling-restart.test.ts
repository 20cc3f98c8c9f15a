import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type Browser, type BrowserOptions, openBrowser } from '../../../e2e/support/browser.ts'
import { listDescendants } from '../../../e2e/sound/recording/audio-priority.ts'
import { makeNoiseFolder } from '../../../e2e/sound/recording/noise-tracks.ts'
import { type Recording, startRecorder } from '../../../e2e/sound/recording/recorder.ts'
import { type TestUser, signUp } from '../apps.ts'
import { ask } from '../ask.ts'
import { type Child, runChild } from '../children/run-child.ts'
import { makeFolder } from '../folders.ts'
import { openTestDatabase } from './cluster.ts'
import { secret } from './crowd.ts'
import { type Listener, listen, listenAll, spreadOfStarts, startPlaying } from './listeners.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const patience = { timeout: 90_000, interval: 100 }
/** With the two browsers 200. */
const socketListeners = 198
const trackSeconds = 1_200
const attempts = 5
const afterwardsMs = 5_000
/** Between two people who hear the same, ms. */
const maxSkewMs = 15

/** `npm run cluster` with its three processes. */
interface RunningCluster {
  address: string
  child: Child
  /** Of its processes. */
  addresses: string[]
  databaseUrl: string
}

async function runCluster(musicDir: string): Promise<RunningCluster> {
  const script = join(root, 'tools', 'cluster-run.ts')
  const child = runChild(script, [], { PORT: '0', MUSIC_DIR: musicDir, SECRET: secret })
  const find = (pattern: RegExp): string => {
    const found = pattern.exec(child.output.stdout)?.[1]
    if (found === undefined) throw new Error(`Not found: ${JSON.stringify(child.output)}`)
    return found
  }
  const address = await vi.waitFor(() => find(/^Earshot is ready at (\S+)\. /m), patience)
  onTestFinished(async () => {
    child.process.kill('SIGINT')
    await child.ended
  })
  const listening = child.output.stdout.matchAll(/^Process \d+ \(pid \d+\) listens at (\S+)$/gm)
  return {
    address,
    child,
    addresses: [...listening].map(([, url]) => url!),
    databaseUrl: find(/^PostgreSQL: (\S+)$/m),
  }
}

/** Builds the page where it is missing or old. Returns the path of the browser that is installed. */
function prepareBrowser(): string {
  const program = `
    const { ensurePageBuilt } = await import('./tools/page.mjs')
    const { findBrowser } = await import('./tools/system-packages.mjs')
    ensurePageBuilt()
    console.log(findBrowser() ?? '')`
  const args = ['--input-type=module', '-e', program]
  const path = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }).trim().split('\n').at(-1)
  if (!path) throw new Error('The test needs a browser. On Debian or Ubuntu: apt-get install chromium')
  return path
}

/** Makes a room with the library's one track over HTTP. */
async function makeRoom(address: string, owner: TestUser): Promise<string> {
  const headers = { cookie: owner.cookie, origin: address }
  const call = async (method: string, path: string, body?: object): Promise<unknown> =>
    (await ask(`${address}/api${path}`, { method, headers, ...(body ? { body } : {}) })).json
  const { id } = (await call('POST', '/rooms', { name: 'Rolling', isPublic: true })) as { id: string }
  await call('POST', `/rooms/${id}/join`, {})
  const trackId = await vi.waitFor(async () => {
    const { tracks } = (await call('GET', '/library')) as { tracks: { id: string }[] }
    if (!tracks[0]) throw new Error('The library is still empty')
    return tracks[0].id
  }, patience)
  await call('POST', `/rooms/${id}/queue`, { trackId })
  return id
}

/** Opens the room's page in a browser whose sound is recorded. */
async function openPage(
  options: BrowserOptions,
  { cookie }: TestUser,
  address: string,
  roomId: string,
): Promise<Browser> {
  const browser = await openBrowser(options)
  onTestFinished(() => browser.close())
  const [name = '', value = ''] = cookie.split('=', 2)
  await browser.context.addCookies([{ name, value, url: address, httpOnly: true }])
  await browser.page.goto(`${address}/room/${roomId}`)
  return browser
}

async function waitUntilInSync({ page }: Browser): Promise<void> {
  const stage = page.getByRole('region', { name: 'Now Playing' })
  await stage.getByText(/^In sync/).waitFor({ timeout: 60_000 })
}

/**
 * Lets the pages go before the processes that start beside them: in life a listener's machine starts no servers.
 * Without the permission (root) their priority stays.
 */
function prioritisePages(): void {
  for (const pid of listDescendants(String(process.pid))) {
    try {
      const isPage = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer')
      if (isPage) setPriority(Number(pid), constants.priority.PRIORITY_HIGH)
    } catch {
      // It has ended, or may not be raised.
    }
  }
}

/** Ends a process as an operator does, and waits until it has been started again and everybody is back. */
async function restart(
  { child, addresses }: RunningCluster,
  index: number,
  listeners: Listener[],
): Promise<void> {
  const started = new RegExp(`^(?:Process ${index + 1}|${index + 1} \\| runs again) \\(pid (\\d+)\\)`, 'gm')
  const findPid = (): number => Number([...child.output.stdout.matchAll(started)].at(-1)?.[1])
  const pid = findPid()
  process.kill(pid, 'SIGTERM')
  await vi.waitFor(() => expect(findPid()).not.toBe(pid), patience)
  await vi.waitFor(async () => expect((await ask(`${addresses[index]}/readyz`)).status).toBe(200), patience)
  await vi.waitFor(() => expect(listeners.filter((each) => !each.isThere())).toEqual([]), patience)
  expect(child.output.stdout).not.toMatch(/ended with (?!code 0)/)
}

/** Expects both browsers to sound at the same time, and returns the longest silence of either, ms. */
function longestSilence(recording: Recording): number {
  for (const channel of [0, 1]) expect(recording.loudness(channel)).toBeGreaterThan(0.01)
  expect(Math.abs(recording.skew(0, 1).lagMs)).toBeLessThan(maxSkewMs)
  return Math.max(recording.longestGapMs(0), recording.longestGapMs(1))
}

it(
  '16.128 all processes of npm run cluster are restarted in turn while 200 listen: no silence in the recorded sound',
  { timeout: 600_000 },
  async () => {
    const executablePath = prepareBrowser()
    const noise = makeNoiseFolder([{ title: 'Long noise', seconds: trackSeconds }])
    onTestFinished(() => noise.remove())
    const cluster = await runCluster(noise.path)
    const { address } = cluster
    const db = await openTestDatabase({ databaseUrl: cluster.databaseUrl, dataDir: await makeFolder() })
    const enter = (name: string): Promise<TestUser> => signUp({ db, secret }, name)
    const owner = await enter('owner')
    const roomId = await makeRoom(address, owner)
    const controls = await listen(address, owner, roomId)
    await startPlaying(controls.client, roomId)
    const users: TestUser[] = []
    for (let n = 0; n < socketListeners; n += 1) users.push(await enter(`listener${n}`))
    const listeners = [controls, ...(await listenAll(address, users, roomId))]

    const recorder = await startRecorder(2)
    onTestFinished(() => recorder.stop())
    const browsers: Browser[] = []
    for (const channel of [0, 1]) {
      const user = await enter(`browser${channel}`)
      const sound = recorder.environment(channel)
      browsers.push(await openPage({ executablePath, sound }, user, address, roomId))
    }
    for (const browser of browsers) await waitUntilInSync(browser)
    prioritisePages()
    const before = await controls.client.ask('request_sync', { roomId })
    expect(before.memberCount).toBe(socketListeners + 3)
    const silences: number[] = []
    // On a machine so busy that sound stutters by itself, another time: a gap of ours would be in each.
    while (!silences.includes(0) && silences.length < attempts) {
      const stopRecording = await recorder.start()
      for (const index of cluster.addresses.keys()) await restart(cluster, index, listeners)
      for (const browser of browsers) await waitUntilInSync(browser)
      await delay(afterwardsMs)
      silences.push(longestSilence(await stopRecording()))
    }
    expect(silences, 'ms of silence in each attempt').toContain(0)
    for (const { states } of listeners) expect(spreadOfStarts(states)).toBeLessThan(1)
    expect((await controls.client.ask('request_sync', { roomId })).memberCount).toBe(before.memberCount)
  },
)

/**
 * `npm run flows`: lists the files whose functions run when the owner presses play and when a listener joins late, as
 * V8's coverage counts them. The server runs in this process; the page is built one module a file. Each flow is repeated,
 * and a file counts where every repetition ran it, which leaves out timers that happened to fire meanwhile.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from '@playwright/test'
import { io, type Socket } from 'socket.io-client'
import { build } from 'vite'
import { createApp, type App } from '../server/src/compose/create-app.ts'
import { parseEnv } from '../server/src/env/env.ts'
import { createLogger } from '../server/src/ops/log.ts'
import { findBrowser } from '../tools/system-packages.mjs'
import { type Coverage, filesRun, intersect, pagePath, print, serverPath } from './files-run.ts'

const root = join(import.meta.dirname, '..')
const repetitions = 5
/** Until what an earlier step started has ended. */
const settleMs = 1_500
/** How long a busy machine may take for one step. */
const patienceMs = 120_000
const folder = mkdtempSync(join(tmpdir(), 'earshot-flows-'))

/**
 * One module a file, so that a file can be told from another. In `assets`, which browsers keep: asked for anew by every
 * visit, so many files exceed what a session may request (`otherRates.pages`), and the page stays empty.
 */
async function buildPage(): Promise<string> {
  const outDir = join(folder, 'page')
  await build({
    root: join(root, 'web'),
    configFile: join(root, 'web', 'vite.config.ts'),
    logLevel: 'error',
    build: {
      outDir: relative(join(root, 'web'), outDir),
      emptyOutDir: true,
      minify: false,
      rolldownOptions: {
        output: { preserveModules: true, preserveModulesRoot: root, entryFileNames: 'assets/m/[name].js' },
      },
    },
  })
  return outDir
}

interface Person {
  context: BrowserContext
  page: Page
  coverage: CDPSession
}

async function signUp(browser: Browser, app: App, name: string): Promise<Person> {
  const context = await browser.newContext()
  context.setDefaultTimeout(patienceMs)
  const data = { name, email: `${name}@example.com`, password: 'correct horse' }
  await post(context, app, '/api/auth/sign-up/email', data)
  const page = await context.newPage()
  const coverage = await context.newCDPSession(page)
  await coverage.send('Profiler.enable')
  await coverage.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return { context, page, coverage }
}

/** Stops the page where it hands a command to the network, before the screen is drawn again. */
async function pauseAtSend({ page, coverage }: Person): Promise<void> {
  await coverage.send('Debugger.enable')
  await page.evaluate(() => {
    WebSocket.prototype.send = new Proxy(Reflect.get(WebSocket.prototype, 'send'), {
      apply(send: WebSocket['send'], socket, [data]: [string | Blob]) {
        const isPlay =
          typeof data === 'string' && data.includes('"direct_command"') && data.includes('"play"')
        // On a slow machine the pause outlasts the answer's deadline, and the command is repeated.
        // oxlint-disable-next-line no-debugger
        if (isPlay && !data.includes('"isFollowUp"')) debugger
        Reflect.apply(send, socket, [data])
      },
    })
  })
}

/** Stops the page where its next click begins, so that nothing counts that ran while the button was found. */
async function pauseAtNextClick({ page }: Person): Promise<void> {
  await page.evaluate(() => {
    const pause = () => {
      // oxlint-disable-next-line no-debugger
      debugger
    }
    addEventListener('click', pause, { capture: true, once: true })
  })
}

function nextPause({ coverage }: Person): Promise<unknown> {
  return new Promise((resolve) => coverage.once('Debugger.paused', resolve))
}

async function post(context: BrowserContext, app: App, path: string, data: unknown): Promise<unknown> {
  const answer = await context.request.post(app.address + path, { headers: { origin: app.address }, data })
  if (!answer.ok()) throw new Error(`POST ${path}: ${answer.status()} ${await answer.text()}`)
  return await answer.json()
}

async function takePage({ coverage }: Person): Promise<string[]> {
  return filesRun(await coverage.send('Profiler.takePreciseCoverage'), pagePath)
}

async function waitFor(isTrue: () => Promise<boolean>): Promise<void> {
  const giveUpAtMs = performance.now() + patienceMs
  while (!(await isTrue())) {
    if (performance.now() > giveUpAtMs) throw new Error(`The room did not get there within ${patienceMs} ms`)
    await delay(50)
  }
}

const isInSync = (person: Person) => (): Promise<boolean> =>
  person.page
    .getByText(/^In sync/)
    .first()
    .isVisible()

/** The needs of both flows: a room with a track, its owner in it, and a coverage of the server. */
interface Stage {
  app: App
  owner: Person
  listener: Person
  roomUrl: string
  roomId: string
  takeServer: () => Promise<string[]>
}

async function setUp(app: App, browser: Browser): Promise<Stage> {
  const inspector = new Session()
  inspector.connect()
  await inspector.post('Profiler.enable')
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const owner = await signUp(browser, app, 'owner')
  const listener = await signUp(browser, app, 'listener')
  const { id } = (await post(owner.context, app, '/api/rooms', { name: 'Flows' })) as { id: string }
  await post(owner.context, app, `/api/rooms/${id}/join`, {})
  const trackId = await findTrack(owner, app)
  // A busy machine takes longer than one track lasts.
  for (let count = 0; count < 10; count++)
    await post(owner.context, app, `/api/rooms/${id}/queue`, { trackId })
  return {
    app,
    owner,
    listener,
    roomUrl: `${app.address}/room/${id}`,
    roomId: id,
    takeServer: async () =>
      filesRun((await inspector.post('Profiler.takePreciseCoverage')) as Coverage, serverPath),
  }
}

const buttonOf = ({ page }: Person, name: 'Play' | 'Pause') =>
  page.getByRole('button', { name, exact: true }).first()

async function countPlay({ owner, listener, roomUrl }: Stage): Promise<void> {
  const [play, pause] = [buttonOf(owner, 'Play'), buttonOf(owner, 'Pause')]
  await owner.page.goto(roomUrl)
  // The first track started by itself.
  await pause.click()
  await play.waitFor()
  await pauseAtSend(owner)
  await listener.page.goto(roomUrl)
  await buttonOf(listener, 'Play').waitFor()
  const runs: Record<'click' | 'sound', string[][]> = { click: [], sound: [] }
  for (let turn = 0; turn < repetitions; turn++) {
    await delay(settleMs)
    await pauseAtNextClick(owner)
    const clicked = nextPause(owner)
    const clicking = play.click()
    await clicked
    await takePage(owner)
    const sent = nextPause(owner)
    await owner.coverage.send('Debugger.resume')
    await sent
    runs.click.push(await takePage(owner))
    await owner.coverage.send('Debugger.resume')
    await clicking
    await pause.waitFor()
    await waitFor(isInSync(owner))
    runs.sound.push(await takePage(owner))
    await pause.click()
    await play.waitFor()
  }
  await owner.coverage.send('Debugger.disable')
  print('Play: the page, from the click to the wire', intersect(runs.click))
  print('Play: the page, from the wire to the sound', intersect(runs.sound))
}

async function countLateJoin({ app, owner, listener, roomUrl }: Stage): Promise<void> {
  await buttonOf(owner, 'Play').click()
  await buttonOf(owner, 'Pause').waitFor()
  const runs: string[][] = []
  for (let turn = 0; turn < repetitions; turn++) {
    await listener.page.goto(`${app.address}/`)
    await listener.page.getByRole('link', { name: 'Home' }).first().waitFor()
    await takePage(listener)
    await listener.page.goto(roomUrl)
    await waitFor(isInSync(listener))
    runs.push(await takePage(listener))
  }
  print('Late join: the page, from its address to the sound', intersect(runs))
}

/** Counts both flows on the server with plain clients: a page would also fetch audio and report meanwhile. */
async function countOnServer({ app, owner, listener, roomId, takeServer }: Stage): Promise<void> {
  for (const { page } of [owner, listener]) await page.goto('about:blank')
  const [owning, listening] = [await connect(app, owner), await connect(app, listener)]
  await owning.emitWithAck('join_room', { roomId })
  await owning.emitWithAck('direct_command', { roomId, command: 'pause' })
  const runs: Record<'play' | 'join', string[][]> = { play: [], join: [] }
  for (let turn = 0; turn < repetitions; turn++) {
    await listening.emitWithAck('join_room', { roomId })
    await delay(settleMs)
    const heard = new Promise((resolve) => listening.once('playback_updated', resolve))
    await takeServer()
    await owning.emitWithAck('direct_command', { roomId, command: 'play' })
    await heard
    runs.play.push(await takeServer())
    await listening.emitWithAck('user_left', { roomId })
    await delay(settleMs)
    await takeServer()
    await listening.emitWithAck('join_room', { roomId })
    runs.join.push(await takeServer())
    await owning.emitWithAck('direct_command', { roomId, command: 'pause' })
    await listening.emitWithAck('user_left', { roomId })
  }
  print('Play: the server, until it has acknowledged and broadcast', intersect(runs.play))
  print('Late join: the server, from join_room to its answer', intersect(runs.join))
  for (const socket of [owning, listening]) socket.disconnect()
}

async function connect(app: App, { context }: Person): Promise<Socket> {
  const cookies = await context.cookies(app.address)
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return io(app.address, { extraHeaders: { cookie }, forceNew: true })
}

async function findTrack(person: Person, app: App): Promise<string> {
  let id = ''
  await waitFor(async () => {
    const answer = await person.context.request.get(`${app.address}/api/library`)
    id = ((await answer.json()) as { tracks: { id: string }[] }).tracks[0]?.id ?? ''
    return id !== ''
  })
  return id
}

const pageFolder = await buildPage()
const app = await createApp({
  env: parseEnv({ PORT: '0', DATA_DIR: join(folder, 'data') }),
  logger: await createLogger('silent'),
  pageFolder,
})
app.startLibrary()
const executablePath = findBrowser()
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  ignoreDefaultArgs: ['--mute-audio'],
  args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--autoplay-policy=no-user-gesture-required'],
})
try {
  const stage = await setUp(app, browser)
  await countPlay(stage)
  await countLateJoin(stage)
  await countOnServer(stage)
} finally {
  await browser.close()
  await app.close()
  rmSync(folder, { recursive: true, force: true })
}

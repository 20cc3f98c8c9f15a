import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../../server/test/free-port.ts'
import type { Engine, EngineOptions } from './engine.ts'

const startTimeoutMs = 60_000
const answerTimeoutMs = 60_000

/** Starts WebKitGTK's small browser on a display of its own, and drives it by WebDriver (https://www.w3.org/TR/webdriver2/). */
export async function openWebKit({ sound, mayAutoplay }: EngineOptions): Promise<Engine> {
  const home = mkdtempSync(join(tmpdir(), 'earshot-webkit-'))
  const port = await findFreePort()
  const args = ['-a', '-s', '-screen 0 1280x900x24', 'WebKitWebDriver', `--port=${port}`]
  const env = {
    ...process.env,
    ...sound,
    HOME: home,
    // WebKit's sandbox needs namespaces, which containers forbid.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    WEBKIT_DISABLE_COMPOSITING_MODE: '1',
  }
  const child = spawn('xvfb-run', args, { stdio: 'ignore', env, detached: true })
  const call = createCaller(`http://127.0.0.1:${port}`)
  await waitUntilReady(call)
  const options = {
    binary: findMiniBrowser(),
    args: ['--automation', `--autoplay-policy=${mayAutoplay ? 'allow' : 'deny'}`],
  }
  const created = (await call('POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
  })) as { sessionId: string; capabilities: { browserVersion: string } }
  const session = `/session/${created.sessionId}`
  const page = await call('GET', `${session}/window`)
  return {
    name: 'WebKit',
    version: created.capabilities.browserVersion,
    setCookie: async ({ name, value, domain }) => {
      await call('POST', `${session}/cookie`, { cookie: { name, value, domain, path: '/', httpOnly: true } })
    },
    goto: async (url) => {
      await call('POST', `${session}/url`, { url })
    },
    reload: async () => {
      await call('POST', `${session}/refresh`, {})
    },
    goBack: async () => {
      await call('POST', `${session}/back`, {})
    },
    evaluate: async (expression) => {
      const script = `const done = arguments[0]; (async () => JSON.stringify(await (${expression})) ?? 'null')().then(done, (error) => done('!' + error))`
      const answer = String(await call('POST', `${session}/execute/async`, { script, args: [] }))
      if (answer.startsWith('!')) throw new Error(answer.slice(1))
      return JSON.parse(answer) as unknown
    },
    clickAt: async (x, y) => {
      const actions = [
        { type: 'pointerMove', duration: 0, x: Math.round(x), y: Math.round(y) },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]
      await call('POST', `${session}/actions`, { actions: [{ type: 'pointer', id: 'mouse', actions }] })
    },
    coverWithTab: async () => {
      const { handle } = (await call('POST', `${session}/window/new`, { type: 'tab' })) as { handle: string }
      await call('POST', `${session}/window`, { handle })
    },
    uncover: async () => {
      await call('POST', `${session}/window`, { handle: page })
    },
    close: async () => {
      await call('DELETE', session).catch(() => undefined)
      const ended = once(child, 'exit')
      // The driver and the display are children of the script that started them.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid)
      await ended
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Debian keeps it in a folder of the processor's kind. */
function findMiniBrowser(): string {
  const [path] = globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser')
  if (!path) throw new Error('MiniBrowser is missing: it is part of libwebkit2gtk-4.1-0')
  return path
}

type Caller = (method: string, path: string, body?: object) => Promise<unknown>

function createCaller(url: string): Caller {
  return async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      signal: AbortSignal.timeout(answerTimeoutMs),
      ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
    })
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) throw new Error(`${method} ${path} failed: ${JSON.stringify(value)}`)
    return value
  }
}

async function waitUntilReady(call: Caller): Promise<void> {
  const giveUpAt = performance.now() + startTimeoutMs
  while (performance.now() < giveUpAt) {
    const status = await call('GET', '/status').catch(() => null)
    if (status) return
    await delay(100)
  }
  throw new Error(`WebKitWebDriver did not start within ${startTimeoutMs} ms`)
}

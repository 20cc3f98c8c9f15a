import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../../server/test/free-port.ts'
import type { Engine, EngineOptions } from './engine.ts'

const startTimeoutMs = 60_000
const closeTimeoutMs = 10_000
const answerTimeoutMs = 60_000

/** Preferences of a fresh profile: no pages and no downloads of its own at the first start. */
const preferences: Record<string, string | number | boolean> = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
}

/** Starts Firefox without a window, and drives it by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). */
export async function openFirefox({ sound, mayAutoplay }: EngineOptions): Promise<Engine> {
  const profile = mkdtempSync(join(tmpdir(), 'earshot-firefox-'))
  // 0 allows sound, 1 blocks it until a user gesture.
  const all = { ...preferences, 'media.autoplay.default': mayAutoplay ? 0 : 1 }
  const lines = Object.entries(all).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`)
  writeFileSync(join(profile, 'user.js'), lines.join('\n'))
  const port = await findFreePort()
  const args = ['--headless', '--profile', profile, '--no-remote', '--remote-debugging-port', String(port)]
  const child = spawn('firefox-esr', args, {
    stdio: 'ignore',
    env: { ...process.env, ...sound, HOME: profile },
  })
  const connection = await connect(`ws://127.0.0.1:${port}/session`)
  const send = (method: string, params: object) => connection.send(method, params)
  const { capabilities } = (await send('session.new', { capabilities: {} }).catch((error: unknown) => {
    child.kill()
    throw error
  })) as Session
  const { contexts } = (await send('browsingContext.getTree', {})) as { contexts: { context: string }[] }
  const context = contexts[0]?.context ?? ''
  return {
    name: 'Firefox',
    version: capabilities.browserVersion,
    setCookie: async ({ name, value, domain }) => {
      const cookie = { name, value: { type: 'string', value }, domain, path: '/', httpOnly: true }
      await send('storage.setCookie', { cookie })
    },
    goto: async (url) => {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    reload: async () => {
      await send('browsingContext.reload', { context, wait: 'complete' })
    },
    goBack: async () => {
      await send('browsingContext.traverseHistory', { context, delta: -1 })
    },
    evaluate: async (expression) => {
      const answer = (await send('script.evaluate', {
        expression: `(async () => JSON.stringify(await (${expression})) ?? 'null')()`,
        awaitPromise: true,
        target: { context },
      })) as Evaluation
      if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text)
      return JSON.parse(answer.result.value) as unknown
    },
    clickAt: async (x, y) => {
      const actions = [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]
      await send('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions }] })
    },
    coverWithTab: async () => {
      await send('browsingContext.create', { type: 'tab', background: false })
    },
    uncover: async () => {
      await send('browsingContext.activate', { context })
    },
    close: async () => {
      const ended = once(child, 'exit')
      // A browser that does not answer is killed.
      const killer = setTimeout(() => child.kill('SIGKILL'), closeTimeoutMs)
      await send('browser.close', {}).catch(() => undefined)
      connection.close()
      await ended
      clearTimeout(killer)
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

interface Session {
  capabilities: { browserVersion: string }
}
type Evaluation =
  | { type: 'success'; result: { value: string } }
  | { type: 'exception'; exceptionDetails: { text: string } }

interface BidiAnswer {
  id?: number
  type: string
  result?: unknown
  error?: string
  message?: string
}

interface BidiConnection {
  send(method: string, params: object): Promise<unknown>
  close(): void
}

/** Connects once the browser listens. */
async function connect(url: string): Promise<BidiConnection> {
  const socket = await openSocket(url)
  const waiting = new Map<number, (answer: BidiAnswer) => void>()
  let sent = 0
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as BidiAnswer
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer)
  })
  return {
    send: async (method, params) => {
      const id = (sent += 1)
      const answered = new Promise<BidiAnswer>((resolve) => waiting.set(id, resolve))
      socket.send(JSON.stringify({ id, method, params }))
      const answer = await Promise.race([answered, delay(answerTimeoutMs, null, { ref: false })])
      waiting.delete(id)
      if (answer?.type === 'success') return answer.result
      throw new Error(`${method} failed: ${answer ? `${answer.error} ${answer.message}` : 'no answer'}`)
    },
    close: () => socket.close(),
  }
}

async function openSocket(url: string): Promise<WebSocket> {
  const giveUpAt = performance.now() + startTimeoutMs
  while (performance.now() < giveUpAt) {
    const socket = new WebSocket(url)
    const isOpen = await new Promise((resolve) => {
      socket.addEventListener('open', () => resolve(true))
      socket.addEventListener('error', () => resolve(false))
    })
    if (isOpen) return socket
    await delay(100)
  }
  throw new Error(`Firefox did not start within ${startTimeoutMs} ms`)
}

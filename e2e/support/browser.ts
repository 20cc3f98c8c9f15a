import { chromium, type BrowserContext, type LaunchOptions, type Page } from '@playwright/test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** A browser with a process, a profile and a sound device of its own, and one page. */
export interface Browser {
  page: Page
  context: BrowserContext
  close(): Promise<void>
}

export interface BrowserOptions {
  /** Environment that selects the sound device; see `sound/sound-server.ts`. */
  sound?: Record<string, string>
  /** Whether pages may play sound before a user gesture. Browsers forbid it by default. */
  mayAutoplay?: boolean
  /** A program to start instead of the installed Chromium, which starts Chromium in turn. */
  executablePath?: string
  args?: string[]
  /** Shows scrollbars that take width, as a desktop's do. */
  hasScrollbars?: boolean
  /** Starts the browser without Playwright's flags: it hides and throttles a covered tab, as a person's does. */
  isUnmodified?: boolean
}

export const actionTimeoutMs = 45_000
export const contextOptions = {
  viewport: { width: 1280, height: 900 },
  colorScheme: 'dark',
  reducedMotion: 'reduce',
  // A worker would answer navigations that tests answer themselves.
  serviceWorkers: 'block',
} as const
const sandboxFlags = process.getuid?.() === 0 ? ['--no-sandbox'] : []

/** Options to launch the installed Chromium, with its sound not muted. */
export function launchOptions(options: BrowserOptions = {}): LaunchOptions {
  const executablePath = options.executablePath ?? process.env['CHROMIUM_PATH']
  return {
    headless: true,
    ...(executablePath ? { executablePath } : {}),
    ignoreDefaultArgs: ['--mute-audio', ...(options.hasScrollbars ? ['--hide-scrollbars'] : [])],
    args: [
      ...sandboxFlags,
      ...(options.mayAutoplay === false ? [] : ['--autoplay-policy=no-user-gesture-required']),
      ...(options.args ?? []),
    ],
    env: { ...definedEnvironment(), ...options.sound },
  }
}

/** Starts a browser with a fresh profile. */
export async function openBrowser(options: BrowserOptions = {}): Promise<Browser> {
  if (options.isUnmodified) return openUnmodifiedBrowser(options)
  const profile = mkdtempSync(join(tmpdir(), 'earshot-browser-'))
  const context = await chromium.launchPersistentContext(profile, {
    ...launchOptions(options),
    ...contextOptions,
  })
  return {
    ...(await openFirstPage(context)),
    close: async () => {
      await context.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

async function openFirstPage(context: BrowserContext): Promise<Pick<Browser, 'page' | 'context'>> {
  context.setDefaultTimeout(actionTimeoutMs)
  return { page: context.pages()[0] ?? (await context.newPage()), context }
}

async function openUnmodifiedBrowser(options: BrowserOptions): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'earshot-browser-'))
  const { args = [], env, executablePath = 'chromium' } = launchOptions(options)
  const fixed = ['--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--no-first-run']
  const child = spawn(executablePath, [...fixed, ...args, 'about:blank'], {
    stdio: 'ignore',
    env: env as NodeJS.ProcessEnv,
  })
  const browser = await chromium.connectOverCDP(await readEndpoint(profile), { noDefaults: true })
  const [context] = browser.contexts()
  if (!context) throw new Error('The browser has no default context')
  return {
    ...(await openFirstPage(context)),
    close: async () => {
      await browser.close()
      const ended = once(child, 'exit')
      if (child.exitCode === null && child.kill()) await ended
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Resolves to the address of the DevTools protocol, which Chromium writes into its profile when it is ready. */
async function readEndpoint(profile: string): Promise<string> {
  const giveUpAt = performance.now() + actionTimeoutMs
  while (performance.now() < giveUpAt) {
    const text = await readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '')
    const [port, path] = text.split('\n')
    if (port && path) return `ws://127.0.0.1:${port}${path}`
    await delay(50)
  }
  throw new Error(`Chromium did not start within ${actionTimeoutMs} ms`)
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

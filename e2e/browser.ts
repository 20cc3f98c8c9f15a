import { chromium, type BrowserContext, type Page } from '@playwright/test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A browser of its own - own process, own profile, own sound device - with one page. */
export interface Browser {
  page: Page
  context: BrowserContext
  close(): Promise<void>
}

export interface BrowserOptions {
  /** Environment that says where it sounds; see `sound/pulse.ts`. */
  sound?: Record<string, string>
  /** Whether pages may sound before anybody has touched them. Real browsers say no. */
  mayAutoplay?: boolean
  viewport?: { width: number; height: number }
  colorScheme?: 'dark' | 'light'
  /** What to start instead of the installed Chromium: something that starts it in its turn. */
  executablePath?: string
  args?: string[]
}

const actionTimeoutMs = 15_000
const sandboxFlags = process.getuid?.() === 0 ? ['--no-sandbox'] : []

/** Starts the installed Chromium with a fresh profile. Its sound is not muted. */
export async function openBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'earshot-browser-'))
  const executablePath = options.executablePath ?? process.env['CHROMIUM_PATH']
  const context = await chromium.launchPersistentContext(profile, {
    headless: true,
    ...(executablePath ? { executablePath } : {}),
    viewport: options.viewport ?? { width: 1280, height: 900 },
    colorScheme: options.colorScheme ?? 'dark',
    reducedMotion: 'reduce',
    ignoreDefaultArgs: ['--mute-audio'],
    args: [
      ...sandboxFlags,
      ...(options.mayAutoplay === false ? [] : ['--autoplay-policy=no-user-gesture-required']),
      ...(options.args ?? []),
    ],
    env: { ...definedEnvironment(), ...options.sound },
  })
  context.setDefaultTimeout(actionTimeoutMs)
  const page = context.pages()[0] ?? (await context.newPage())
  return {
    page,
    context,
    close: async () => {
      await context.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

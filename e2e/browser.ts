import { chromium, type BrowserContext, type LaunchOptions, type Page } from '@playwright/test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
}

export const actionTimeoutMs = 15_000
export const contextOptions = {
  viewport: { width: 1280, height: 900 },
  colorScheme: 'dark',
  reducedMotion: 'reduce',
} as const
const sandboxFlags = process.getuid?.() === 0 ? ['--no-sandbox'] : []

/** Options to launch the installed Chromium, with its sound not muted. */
export function launchOptions(options: BrowserOptions = {}): LaunchOptions {
  const executablePath = options.executablePath ?? process.env['CHROMIUM_PATH']
  return {
    headless: true,
    ...(executablePath ? { executablePath } : {}),
    ignoreDefaultArgs: ['--mute-audio'],
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
  const profile = mkdtempSync(join(tmpdir(), 'earshot-browser-'))
  const context = await chromium.launchPersistentContext(profile, {
    ...launchOptions(options),
    ...contextOptions,
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

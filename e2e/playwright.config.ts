import { defineConfig } from '@playwright/test'
import { join } from 'node:path'
import { actionTimeoutMs, contextOptions, launchOptions } from './support/browser.ts'

const { reducedMotion, ...use } = contextOptions

/** Long tests, of which a shorter one runs always, and those of the doubles, which say nothing about the product. */
const long = [
  '**/away-and-back.spec.ts',
  '**/sound/changed-files.spec.ts',
  '**/connection-lost.spec.ts',
  '**/distant-listener.spec.ts',
  '**/drawing-cost.spec.ts',
  '**/element-fallback.spec.ts',
  '**/odd-tracks.spec.ts',
  '**/owner-away.spec.ts',
  '**/queue-speed.spec.ts',
  '**/rapid-commands.spec.ts',
  '**/server-selection.spec.ts',
  '**/*-double.spec.ts',
  '**/slow-line.spec.ts',
  '**/streaming-failures.spec.ts',
  '**/streaming-player.spec.ts',
  '**/youtube-corrections.spec.ts',
  '**/provider-hold.spec.ts',
  '**/spotify-sync.spec.ts',
  '**/youtube-sync.spec.ts',
]

/** Variations of what other tests prove, in a browser or as units, which take long too. */
const taggedLong = /@long/

/**
 * Of browsers whose tests neither measure time nor record sound. A page lives for seconds, too short for the code of the best
 * compiler to repay its making (that of the second best halves what a playing page costs), and pixels drawn without an
 * emulated GPU take less.
 */
const shortLivedPages = ['--js-flags=--no-opt', '--disable-gpu', '--disable-software-rasterizer']

/** As absolute paths: a pattern would also match the folder of the checkout. */
const otherFolders = ['sound', 'engines'].map((folder) => join(import.meta.dirname, folder, '**'))

/** A run of all tests: its arguments name no project, file or title. */
const isWholeRun = process.argv
  .slice(process.argv.indexOf('test') + 1)
  .every((arg) => /^(--config|--list|--reporter)|playwright\.config\.ts$/.test(arg))

/**
 * `page` runs in parallel. `sound` records the sound of browsers, which busier tests would disturb, so it runs after `page`,
 * two files at once (decision 049), and so do `long`, `long-page` and `long-sound`, one at a time. `engines` does so with
 * Firefox and WebKit, and runs only by name.
 */
export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  globalSetup: './support/global-setup.ts',
  // With a third one, pages that play cannot keep up with the time where the two cores are slow.
  workers: 2,
  // Where other programs keep the cores busy, a test takes several times as long and still passes.
  timeout: 240_000,
  expect: { timeout: 30_000, toPass: { intervals: [100, 250, 500] } },
  forbidOnly: Boolean(process.env['CI']),
  reporter: 'line',
  use: {
    ...use,
    contextOptions: { reducedMotion },
    launchOptions: launchOptions(),
    actionTimeout: actionTimeoutMs,
  },
  projects: [
    {
      name: 'page',
      testMatch: '*.spec.ts',
      testIgnore: [...otherFolders, ...long],
      grepInvert: taggedLong,
      fullyParallel: true,
      use: { launchOptions: launchOptions({ args: shortLivedPages }) },
    },
    {
      name: 'long-page',
      testMatch: '*.spec.ts',
      testIgnore: [...otherFolders, ...long],
      grep: taggedLong,
      dependencies: isWholeRun ? ['page'] : [],
    },
    {
      name: 'sound',
      testMatch: 'sound/*.spec.ts',
      testIgnore: long,
      grepInvert: taggedLong,
      workers: 2,
      dependencies: isWholeRun ? ['page'] : [],
    },
    {
      name: 'long-sound',
      testMatch: 'sound/*.spec.ts',
      testIgnore: long,
      grep: taggedLong,
      workers: 1,
      dependencies: isWholeRun ? ['sound'] : [],
    },
    { name: 'long', testMatch: long, workers: 1, dependencies: isWholeRun ? ['sound'] : [] },
    // Needs more browsers, so it runs only by name.
    ...(process.env['TEST_ENGINES'] ? [{ name: 'engines', testMatch: 'engines/*.spec.ts', workers: 1 }] : []),
  ],
})

// `npm run e2e`: the browser tests. Arguments go to Playwright, such as --project=page.
import { ensureInstalled } from './install.mjs'
import { makeMemoryFolder } from './memory-folder.mjs'
import { ensurePageBuilt } from './page.mjs'
import { runInForeground } from './run.mjs'
import { ensureSystemPackages, findBrowser, findPageBrowser } from './system-packages.mjs'

const args = process.argv.slice(2)
const isPageOnly = args.includes('--project=page')

ensureInstalled('all')
ensureSystemPackages(isPageOnly ? ['chromium', 'headless-shell'] : ['chromium', 'pulseaudio'])
const hasEngines = args.includes('--project=engines')
if (hasEngines) ensureSystemPackages(['firefox', 'webkit'])
ensurePageBuilt()
const memoryFolder = makeMemoryFolder()
const playwright = 'node_modules/@playwright/test/cli.js'
runInForeground([playwright, 'test', '--config', 'e2e/playwright.config.ts', ...args], {
  CHROMIUM_PATH: (isPageOnly ? findPageBrowser() : findBrowser()) ?? '',
  TEST_ENGINES: hasEngines ? '1' : '',
  ...(memoryFolder && { TMPDIR: memoryFolder }),
})

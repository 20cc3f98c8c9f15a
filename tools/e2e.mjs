// `npm run e2e`: the browser tests. Arguments go to Playwright, such as --project=page.
import { ensureInstalled } from './install.mjs'
import { ensurePageBuilt } from './page.mjs'
import { runInForeground } from './run.mjs'
import { ensureSystemPackages, findBrowser } from './system-packages.mjs'

const args = process.argv.slice(2)

ensureInstalled('all')
ensureSystemPackages(args.includes('--project=page') ? ['chromium'] : ['chromium', 'pulseaudio'])
ensurePageBuilt()
const playwright = 'node_modules/@playwright/test/cli.js'
runInForeground([playwright, 'test', '--config', 'e2e/playwright.config.ts', ...args], {
  CHROMIUM_PATH: findBrowser() ?? '',
})

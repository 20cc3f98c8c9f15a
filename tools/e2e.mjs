// `npm run e2e`: the browser tests, with arguments passed on to Playwright.
import { ensureEngines, findBrowser } from './engines.mjs'
import { ensureInstalled } from './install.mjs'
import { ensurePageBuilt } from './page.mjs'
import { runInForeground } from './run.mjs'

ensureInstalled({ withTools: true })
ensureEngines()
ensurePageBuilt()
const playwright = 'node_modules/@playwright/test/cli.js'
runInForeground([playwright, 'test', '--config', 'e2e/playwright.config.ts', ...process.argv.slice(2)], {
  CHROMIUM_PATH: findBrowser() ?? '',
})

// `npm run pictures [folder [state ...]]`: takes pictures of the page, see e2e/pictures/pictures.ts.
import { ensureInstalled } from './install.mjs'
import { ensurePageBuilt } from './page.mjs'
import { runInForeground } from './run.mjs'
import { ensureSystemPackages, findBrowser } from './system-packages.mjs'

ensureInstalled('all')
ensureSystemPackages(['chromium'])
ensurePageBuilt()
runInForeground(['e2e/pictures/pictures.ts', ...process.argv.slice(2)], {
  CHROMIUM_PATH: findBrowser() ?? '',
})

// `npm run pictures [folder]`: see e2e/pictures.ts.
import { ensureEngines, findBrowser } from './engines.mjs'
import { ensureInstalled } from './install.mjs'
import { ensurePageBuilt } from './page.mjs'
import { runInForeground } from './run.mjs'

ensureInstalled({ withTools: true })
ensureEngines()
ensurePageBuilt()
runInForeground(['e2e/pictures.ts', ...process.argv.slice(2)], { CHROMIUM_PATH: findBrowser() ?? '' })

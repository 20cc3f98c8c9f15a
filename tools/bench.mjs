// `npm run bench [name ...]`: the measurements of bench/, all or the named ones.
import { ensureEngines, findBrowser } from './engines.mjs'
import { ensureInstalled } from './install.mjs'
import { ensurePageBuilt } from './page.mjs'
import { runInForeground } from './run.mjs'

ensureInstalled({ withTools: true })
ensureEngines()
ensurePageBuilt()
runInForeground(['bench/run.ts', ...process.argv.slice(2)], { CHROMIUM_PATH: findBrowser() ?? '' })

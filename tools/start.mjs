// `npm start`: everything a fresh machine lacks, then the server.
import { ensureInstalled } from './install.mjs'
import { ensurePageBuilt } from './page.mjs'
import { runInForeground } from './run.mjs'

ensureInstalled({ withTools: false })
ensurePageBuilt()
runInForeground(['server/src/main.ts'])

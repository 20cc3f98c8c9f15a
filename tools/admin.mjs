// `npm run admin -- COMMAND`: the operator's commands; without one, lists them.
import { ensureInstalled } from './install.mjs'
import { runInForeground } from './run.mjs'

ensureInstalled('server')
runInForeground(['server/src/admin.ts', ...process.argv.slice(2)])

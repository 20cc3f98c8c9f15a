// `npm run admin -- COMMAND`: administers a server from the shell, also while it runs.
import { ensureInstalled } from './install.mjs'
import { runInForeground } from './run.mjs'

ensureInstalled('server')
runInForeground(['server/src/admin/main.ts', ...process.argv.slice(2)])

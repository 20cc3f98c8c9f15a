// `npm run dev`: the page with hot reload and the server with restarts on change, in one terminal.
import { ensureInstalled } from './install.mjs'
import { runInForeground } from './run.mjs'

ensureInstalled('all')
runInForeground(['tools/dev-server.ts'])

// `npm run dev`: the same product with reload on change.
import { ensureInstalled } from './install.mjs'
import { runInForeground } from './run.mjs'

ensureInstalled({ withTools: true })
runInForeground(['tools/dev-server.ts'])

// `npm start`: installs and builds whatever is missing, then runs the server.
import { readCommit } from './commit.mjs'
import { ensureInstalled, removeBuildPackages, serverFlags } from './install.mjs'
import { ensurePageBuilt, isPageBuilt } from './page.mjs'
import { runInForeground } from './run.mjs'

ensureInstalled(isPageBuilt() ? 'server' : 'page')
ensurePageBuilt()
removeBuildPackages()
runInForeground([...serverFlags, 'server/src/main.ts'], { EARSHOT_COMMIT: readCommit() })

// `npm run cluster`: several server processes, PostgreSQL, Redis and a balancer on this machine, for trying them.
import { ensureInstalled } from './install.mjs'
import { ensurePageBuilt } from './page.mjs'
import { runInForeground } from './run.mjs'
import { ensureSystemPackages } from './system-packages.mjs'

ensureInstalled('all')
ensureSystemPackages(['postgresql', 'redis'])
ensurePageBuilt()
runInForeground(['tools/cluster-run.ts', ...process.argv.slice(2)])

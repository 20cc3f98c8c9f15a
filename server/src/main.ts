import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Before anything large is loaded: what was compiled at one start need not be compiled at the next.
enableCompileCache(join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compiled'))
const { startServer } = await import('./start-server.ts')
await startServer()

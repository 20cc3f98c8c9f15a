import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Set before large modules load: the next start reuses the compiled code.
enableCompileCache(join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compiled'))
const { startServer } = await import('./start-server.ts')
await startServer()

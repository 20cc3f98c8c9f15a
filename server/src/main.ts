import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Set before large modules load: the next start reuses the compiled code. Threads take the folder from the environment;
// without it each loads the compiler of TypeScript, which takes 15 MB.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../../node_modules/.cache/compiled')
enableCompileCache(process.env['NODE_COMPILE_CACHE'])
// A music folder that hangs holds up to 15 of them (`disk-calls.ts`); the pool begins with its first use.
process.env['UV_THREADPOOL_SIZE'] ??= '20'
const { startServer } = await import('./start-server.ts')
await startServer()

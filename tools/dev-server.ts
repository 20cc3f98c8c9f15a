/** Serves the page from Vite with hot reload, in front of a server that restarts when its sources change: one address. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createServer } from 'vite'
import { findFreePort } from '../server/test/free-port.ts'
import { nodeFlags } from './install.mjs'

const root = join(import.meta.dirname, '..')
const host = process.env['HOST'] || '127.0.0.1'
const port = Number(process.env['PORT'] || 3000)
const address = `http://${host}:${port}`

const serverPort = await findFreePort()
const target = `http://127.0.0.1:${serverPort}`

// Vite first: where its port is taken, no server is left running.
const vite = await createServer({
  root: join(root, 'web'),
  configFile: join(root, 'web', 'vite.config.ts'),
  server: {
    host,
    port,
    strictPort: true,
    proxy: {
      '/api': target,
      '/players/': target,
      '/health': target,
      '/livez': target,
      '/readyz': target,
      '/metrics': target,
      '/socket.io': { target, ws: true },
    },
  },
})
await vite.listen()

const server = spawn(
  process.execPath,
  [...nodeFlags, '--watch', '--watch-preserve-output', 'server/src/main.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(serverPort),
      PUBLIC_URL: process.env['PUBLIC_URL'] || address,
    },
  },
)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    server.kill(signal)
    void vite.close().then(() => process.exit(0))
  })
}

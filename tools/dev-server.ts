/** The page from Vite with hot reload, in front of a server that restarts when its sources change: one address. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createSocketServer } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'vite'

const root = join(import.meta.dirname, '..')
const host = process.env['HOST'] || '127.0.0.1'
const port = Number(process.env['PORT'] || 3000)
const address = `http://${host}:${port}`

async function findFreePort(): Promise<number> {
  const probe = createSocketServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const found = probe.address()
  probe.close()
  if (found === null || typeof found === 'string') throw new Error('No free port')
  return found.port
}

const serverPort = await findFreePort()
const server = spawn(
  process.execPath,
  ['--disable-warning=ExperimentalWarning', '--watch', '--watch-preserve-output', 'server/src/main.ts'],
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

const target = `http://127.0.0.1:${serverPort}`
const vite = await createServer({
  root: join(root, 'web'),
  configFile: join(root, 'web', 'vite.config.ts'),
  server: {
    host,
    port,
    strictPort: true,
    proxy: { '/api': target, '/health': target, '/metrics': target, '/socket.io': { target, ws: true } },
  },
})
await vite.listen()
console.log(`Earshot for development is at ${address}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    server.kill(signal)
    void vite.close().then(() => process.exit(0))
  })
}

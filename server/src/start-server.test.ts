import { once } from 'node:events'
import { createServer, connect as openSocket, type Socket } from 'node:net'
import { io } from 'socket.io-client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { signUpOverHttp } from '../test/apps.ts'
import { ask } from '../test/ask.ts'
import { runChild } from '../test/children/run-child.ts'
import { type ServerProcess, runServer } from '../test/children/run-server.ts'
import { makeDataFolder as makeMigratedFolder } from '../test/databases.ts'
import { makeFolder } from '../test/folders.ts'
import { findFreePort } from '../test/free-port.ts'
import { makeDataFolder } from './data-folder.ts'
import { listNetworkAddresses } from './http/network-addresses.ts'

/** With data of its own. */
const start = async (variables: Record<string, string> = {}): Promise<ServerProcess> =>
  runServer({ DATA_DIR: await makeMigratedFolder(), ...variables })

/** A listener that takes connections and never says a word. */
async function listenInSilence(): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It does not listen')
  return address.port
}

/** Ends it with a signal while two clients are connected. Resolves to its exit code. */
async function endWhileConnected(
  { child, address }: ServerProcess,
  signal: 'SIGTERM' | 'SIGINT',
): Promise<number | null> {
  const user = await signUpOverHttp({ address }, 'ann')
  const client = io(address, { extraHeaders: { cookie: user.cookie }, reconnection: false })
  onTestFinished(() => void client.close())
  await once(client as unknown as NodeJS.EventEmitter, 'connect')
  const idle = openSocket(Number(new URL(address).port), '127.0.0.1')
  onTestFinished(() => void idle.destroy())
  await once(idle, 'connect')
  const disconnected = new Promise((resolve) => client.once('disconnect', resolve))
  child.process.kill(signal)
  // Programs around the server pass the same signal on: that is no second wish.
  child.process.kill(signal)
  const code = await child.ended
  await disconnected
  return code
}

describe('the server process', () => {
  it('16.227 prints its address in one line, is healthy there, names a variable that is probably misspelt, once, and closes on SIGTERM, whoever is still connected', async () => {
    const server = await start({ DATA_DIR: await makeFolder(), SIGNUP: 'closed' })
    const { child, address } = server
    expect(await ask(`${address}/health`)).toMatchObject({ status: 200 })
    const lines = child.output.stdout.trim().split('\n')
    expect(lines.filter((line) => !line.startsWith('{'))).toEqual([`Earshot is ready at ${address}`])
    expect(child.output.stderr).toBe('')
    const hint = 'SIGNUP is not a setting of Earshot. Did you mean SIGN_UP?'
    await vi.waitFor(() => expect(child.output.stdout.split(hint)).toHaveLength(2))
    // A process that exits by itself keeps its compiled code: the next ones start with less processor time.
    expect(await endWhileConnected(server, 'SIGTERM')).toBe(0)
  })

  it('16.177 that listens on all addresses prints those in the network, unless others are set', async () => {
    const HOST = '0.0.0.0'
    const { child, address } = await start({ HOST })
    const addresses = listNetworkAddresses(new URL(address).port)
    const printed = addresses.map((each) => `For other devices in the network: ${each}`)
    await vi.waitFor(() => expect(child.output.stdout.split('\n')).toEqual(expect.arrayContaining(printed)))
    const named = await start({ HOST, PUBLIC_URL: 'http://nas.local:3000' })
    expect(named.address).toBe('http://nas.local:3000')
    named.child.process.kill('SIGTERM')
    expect(await named.child.ended).toBe(0)
    expect(named.child.output.stdout).not.toContain('For other devices')
  })

  it('closes on SIGINT and exits with 0, whoever is still connected', async () => {
    expect(await endWhileConnected(await start(), 'SIGINT')).toBe(0)
  })

  it('waits for a mail being sent, unless a second signal arrives', async () => {
    const port = await listenInSilence()
    const { child, address } = await start({ SMTP_URL: `smtp://127.0.0.1:${port}` })
    const body = { email: 'ann@example.org', password: 'secret' }
    const signedUp = await ask(`${address}/api/auth/sign-up/email`, { method: 'POST', body })
    expect(signedUp.status).toBe(200)
    child.process.kill('SIGTERM')
    await vi.waitFor(() => expect(child.output.stdout).toContain('"Closing"'))
    const askedAtMs = performance.now()
    await vi.waitFor(() => expect(performance.now() - askedAtMs).toBeGreaterThan(1_100))
    expect(child.process.exitCode).toBeNull()
    child.process.kill('SIGTERM')
    expect(await child.ended).toBe(1)
  })

  it('16.4 exits with the reason when sign-in cannot be loaded', async () => {
    const refuse = `import { registerHooks } from 'node:module'
      registerHooks({ resolve: (name, context, next) => {
        if (name === 'better-auth') throw new Error('this package is damaged')
        return next(name, context)
      } })`
    const child = runChild('src/main.ts', [], {
      PORT: '0',
      DATA_DIR: await makeFolder(),
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(refuse)}`,
    })
    expect(await child.ended).toBe(1)
    expect(child.output.stdout).toContain('this package is damaged')
  })

  it('names a port that is in use', async () => {
    const port = await listenInSilence()
    const child = runChild('src/main.ts', [], { PORT: String(port), DATA_DIR: await makeFolder() })
    expect(await child.ended).toBe(1)
    expect(child.output.stderr.trim()).toBe(
      `PORT: ${port} is taken: another program listens on it. Stop that program, or set PORT to another number.`,
    )
  })

  it('lists all configuration errors, without a stack trace', async () => {
    const child = runChild('src/main.ts', [], { PORT: 'http', LOG_LEVEL: 'loud', SECRET: 'hunter2' })
    expect(await child.ended).toBe(1)
    expect(child.output.stdout).toBe('')
    expect(child.output.stderr).toBe(
      [
        'The configuration cannot be used:',
        '  PORT must be a whole number from 0 to 65535 (0: any that is free)',
        '  SECRET must be at least 32 characters long',
        '  LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent',
        '',
      ].join('\n'),
    )
  })

  it('16.48 names a data folder that cannot be made, and exits', async () => {
    const child = runChild('src/main.ts', [], { PORT: '0', DATA_DIR: '/proc/nowhere' })
    expect(await child.ended).toBe(1)
    expect(child.output.stderr).toMatch(/^DATA_DIR: the folder \S+ cannot be used: .*\n$/)
    await expect(makeDataFolder('/dev/null/nowhere')).rejects.toThrow(
      /^DATA_DIR: the folder \S+ cannot be used: .*$/,
    )
  })

  it('reports an unreachable database, and exits', async () => {
    const port = await findFreePort()
    const DATABASE_URL = `postgres://earshot@127.0.0.1:${port}/earshot`
    const child = runChild('src/main.ts', [], { PORT: '0', DATA_DIR: await makeFolder(), DATABASE_URL })
    expect(await child.ended).toBe(1)
    expect(child.output.stderr).toMatch(/^DATABASE_URL: the PostgreSQL database cannot be opened: .*\n$/)
  })
})

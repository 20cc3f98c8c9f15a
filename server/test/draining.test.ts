import { expect, it, vi } from 'vitest'
import { ask } from './ask.ts'
import { runServer } from './children/run-server.ts'
import { makeDataFolder } from './databases.ts'

it('15.74 after SIGTERM a server says that it is not ready, serves on for DRAIN_S, and then ends', async () => {
  // As long as a busy machine may take for three requests.
  const { address, child } = await runServer({ DATA_DIR: await makeDataFolder(), DRAIN_S: '8' })
  expect(await ask(`${address}/readyz`)).toMatchObject({ status: 200, json: { checks: { accepting: true } } })
  child.process.kill('SIGTERM')
  await vi.waitFor(
    async () => {
      const draining = { status: 503, json: { status: 'unavailable', checks: { accepting: false } } }
      expect(await ask(`${address}/readyz`)).toMatchObject(draining)
    },
    { interval: 20 },
  )
  // A balancer that has not asked since still sends calls and connections.
  expect((await ask(`${address}/api/config`)).status).toBe(200)
  expect((await ask(`${address}/socket.io/?EIO=4&transport=polling`)).status).toBe(200)
  expect(await child.ended).toBe(0)
  await expect(ask(`${address}/livez`)).rejects.toThrow('fetch failed')
})

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { signUpOverHttp } from '../apps.ts'
import { ask } from '../ask.ts'
import { runChild } from '../children/run-child.ts'
import { connect } from '../sockets.ts'

const script = join(import.meta.dirname, '..', '..', '..', 'tools', 'cluster-run.ts')

it('16.94 npm run cluster opens a room over two of its processes, and leaves nothing behind', async () => {
  const cluster = runChild(script, [], { PORT: '0' })
  const find = (pattern: RegExp): string => {
    const found = pattern.exec(cluster.output.stdout)?.[1]
    if (found === undefined) throw new Error(`Not found: ${JSON.stringify(cluster.output)}`)
    return found
  }
  const address = await vi.waitFor(() => find(/^Earshot is ready at (\S+)\. /m), {
    timeout: 90_000,
    interval: 100,
  })
  const folder = find(/^Data: (\S+)/m)
  const [first, second] = ['1', '2'].map((n) => ({
    address: find(new RegExp(`^Process ${n} \\(pid \\d+\\) listens at (\\S+)$`, 'm')),
    atEnd: () => {},
  }))
  const [owner, ann] = await Promise.all(['owner', 'ann'].map((name) => signUpOverHttp({ address }, name)))
  const { json } = await ask(`${address}/api/rooms`, {
    method: 'POST',
    headers: { cookie: owner!.cookie, origin: address },
    body: { name: 'Over two', isPublic: true },
  })
  const { id: roomId } = json as { id: string }
  const clients = [await connect(first!, owner!), await connect(second!, ann!)] as const
  // Long polling needs all its requests at one process: the balancer's cookie sees to it.
  const polling = await connect({ address, atEnd: () => {} }, ann!, {
    transports: ['polling'],
    withCredentials: true,
  })
  for (const client of [...clients, polling]) await client.ask('join_room', { roomId })
  await clients[0].ask('send_message', { roomId, message: 'over there' })
  for (const client of [clients[1], polling]) {
    expect((await client.hear('message')).message.content).toBe('over there')
  }
  for (const client of [...clients, polling]) client.close()

  cluster.process.kill('SIGINT')
  expect(await cluster.ended).toBe(0)
  expect(existsSync(folder)).toBe(false)
  await expect(ask(`${first!.address}/livez`)).rejects.toThrow('fetch failed')
})

import { Redis } from 'ioredis'
import { expect, it, onTestFinished, vi } from 'vitest'
import { signUp, startApp } from './apps.ts'
import { ask } from './ask.ts'
import { startRedis } from './redis.ts'
import { connect, openJoinedRoom } from './sockets.ts'

it('16.149 while Redis is full, who joins is told to try again and the server is not ready', async () => {
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  const app = await startApp({ redisUrl: redis.url })
  const { id: roomId } = await openJoinedRoom(app)
  const ben = await connect(app, await signUp(app, 'ben'))
  const readiness = async () => (await ask(`${app.address}/readyz`)).json
  const operator = new Redis(redis.url)
  onTestFinished(() => operator.disconnect())
  await operator.config('SET', 'maxmemory', '1')
  await expect(ben.ask('join_room', { roomId })).rejects.toMatchObject({ code: 'unavailable' })
  expect(await readiness()).toMatchObject({ status: 'unavailable', checks: { database: true, redis: false } })

  await operator.config('SET', 'maxmemory', '0')
  await ben.ask('join_room', { roomId })
  await vi.waitFor(async () => expect(await readiness()).toMatchObject({ status: 'ok' }))
})

import { Redis } from 'ioredis'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { startRedis } from '../../test/redis.ts'
import { openRedisLink } from './redis-link.ts'

it('closes while Redis no longer answers', { timeout: 10_000 }, async () => {
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  const link = await openRedisLink(redis.url, pino({ level: 'silent' }))
  const operator = new Redis(redis.url)
  onTestFinished(() => operator.disconnect())
  await operator.client('PAUSE', 60_000)
  await expect(link.close()).resolves.toBeUndefined()
})

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { openLink, withPort } from '../../test/faults/link.ts'
import { captureLog } from '../../test/log.ts'
import { startRedis } from '../../test/redis.ts'
import { openRedisLink } from './redis-link.ts'

it('closes while Redis no longer answers', async () => {
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  const link = await openRedisLink(redis.url, pino({ level: 'silent' }))
  const operator = new Redis(redis.url)
  onTestFinished(() => operator.disconnect())
  await operator.client('PAUSE', 600_000)
  await expect(link.close()).resolves.toBeUndefined()
})

it('16.195 a command whose caller has given up is not sent again', async () => {
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  const way = await openLink(Number(new URL(redis.url).port))
  const link = await openRedisLink(withPort(redis.url, way.port), pino({ level: 'silent' }))
  onTestFinished(() => link.close())
  way.stall()
  await expect(link.commands.incr('count')).rejects.toThrow('timed out')
  way.cut()
  way.restore()
  await vi.waitFor(() => link.commands.ping())
  expect(await link.commands.get('count')).toBeNull()
})

// A rejection that nobody handles fails the run, and would end a server.
it('handles the failure of what it subscribes to again after a connection was lost', async () => {
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  let isSlow = false
  let asked = 0
  const way = await openLink(Number(new URL(redis.url).port), (question) => {
    if (!isSlow || !/ssubscribe/i.test(question)) return 0
    asked += 1
    return 5_000
  })
  const { logger, lines } = captureLog()
  const link = await openRedisLink(withPort(redis.url, way.port), logger)
  for (const channel of ['a', 'b', 'c']) link.subscriber.ssubscribe(channel)
  await link.settle()
  isSlow = true
  way.cut()
  way.restore()
  await vi.waitFor(() => expect(asked).toBeGreaterThan(0))
  await link.close()
  expect(lines.some(({ msg }) => msg.startsWith('Redis subscription failed'))).toBe(true)
})

/** Answers INFO as a Redis of this version and mode would, and every other command with OK. */
async function listenAsRedis(version: string, mode = 'redis_mode:standalone'): Promise<string> {
  const server = createServer((socket) => {
    socket.on('data', (chunk) => {
      const count = chunk.toString().match(/^\*\d+\r$/gm)?.length ?? 1
      const info = `# Server\r\nredis_version:${version}\r\n${mode}\r\nloading:0\r\n`
      const bulk = `$${info.length}\r\n${info}\r\n`
      socket.write((/info/i.test(chunk.toString()) ? bulk : '+OK\r\n').repeat(count))
    })
    socket.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('16.47 refuses a Redis that is too old, and names its version', async () => {
  const url = await listenAsRedis('6.2.14')
  const logger = pino({ level: 'silent' })
  await expect(openRedisLink(url, logger)).rejects.toThrow(
    'REDIS_URL: Earshot needs Redis 7 or newer, and the server there is 6.2.14',
  )
  const link = await openRedisLink(inject('redisUrl'), logger)
  await link.close()
})

it('16.107 says that Redis requires or refuses a password, which is never logged', async () => {
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  const operator = new Redis(redis.url)
  onTestFinished(() => operator.disconnect())
  await operator.config('SET', 'requirepass', 'the right one')
  const lines: string[] = []
  const logger = pino({}, { write: (line: string) => void lines.push(line) })
  const withPassword = redis.url.replace('redis://', 'redis://:a-wrong-one@')
  await expect(openRedisLink(redis.url, logger)).rejects.toThrow('requires a password')
  await expect(openRedisLink(withPassword, logger)).rejects.toThrow('refuses this user or password')
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.filter((line) => line.includes('a-wrong-one'))).toEqual([])
})

it('15.53 refuses a member of a Redis Cluster and a Sentinel, which cannot hold what processes share', async () => {
  const logger = pino({ level: 'silent' })
  const member = await startRedis(undefined, { settings: { 'cluster-enabled': 'yes', databases: 1 } })
  onTestFinished(() => member.stop())
  await expect(openRedisLink(member.url, logger)).rejects.toThrow(
    'REDIS_URL: the server there is part of a Redis Cluster. Earshot keeps all its keys on one server: give the address of a single one.',
  )
  const valkey = await listenAsRedis('7.2.4', 'server_mode:cluster')
  await expect(openRedisLink(valkey, logger)).rejects.toThrow('part of a Redis Cluster')
  const sentinel = await listenAsRedis('7.4.1', 'redis_mode:sentinel')
  await expect(openRedisLink(sentinel, logger)).rejects.toThrow(
    'REDIS_URL: the server there is a Sentinel, which holds no data. Give the address of the primary, or of a proxy that leads to it.',
  )
})

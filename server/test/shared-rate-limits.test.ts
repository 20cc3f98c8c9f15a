import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { Redis } from 'ioredis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSharedRateLimiter } from '../src/limits/rate-limits.ts'
import { type TestApp, signUp, startApp } from './apps.ts'
import { type Answer, ask, codeOf } from './ask.ts'
import { captureLog } from './log.ts'
import { makeSharedEngines, startTwo } from './two-servers.ts'
import { freezeWindows } from './rate-windows.ts'
import { startRedis } from './redis.ts'
import { connect, openJoinedRoom } from './sockets.ts'

const httpAddress = { points: 5_000 }
const signIn = { points: 10 }
const roomPassword = { points: 5 }

const isRefused = (answer: Answer): boolean => answer.status === 429

function trySignIn(app: TestApp, email: string): Promise<Answer> {
  const body = { email, password: 'wrong password' }
  return ask(`${app.address}/api/auth/sign-in/email`, { method: 'POST', body })
}

/** No email: counts as a try, but is refused without the time that hashing a password takes. */
const misspelt = { ann: 'ann(at)example.org', ben: 'ben(at)example.org' }

const askConfig = (app: TestApp): Promise<Answer> => ask(`${app.address}/api/config`)

/** Makes calls to the apps in turn, one after the other. */
async function inTurns(apps: TestApp[], count: number, call: (app: TestApp) => Promise<Answer>) {
  const answers: Answer[] = []
  for (let turn = 0; turn < count; turn++) answers.push(await call(apps[turn % apps.length]!))
  return answers
}

/** Counts calls of this machine's address in Redis, in a window that a busy machine does not outlast. */
async function spendCalls(redisUrl: string, count: number): Promise<void> {
  const redis = new Redis(redisUrl)
  try {
    await redis.ping()
    const rate = { points: httpAddress.points, perMs: 600_000 }
    await createSharedRateLimiter('http-address', rate, redis).consume('127.0.0.1', count)
  } finally {
    redis.disconnect()
  }
}

/** How many connections others hold to a Redis. */
async function countClients(url: string): Promise<number> {
  const redis = new Redis(url)
  try {
    const list = String(await redis.client('LIST'))
    return list.trim().split('\n').length - 1
  } finally {
    redis.disconnect()
  }
}

describe('the limits of processes that share a Redis', () => {
  it('5.8d count the calls of one address together', async () => {
    const shared = await makeSharedEngines()
    const left = 10
    await spendCalls(shared.redisUrl, httpAddress.points - left)
    const apps = await startTwo(undefined, shared)
    const answers = await inTurns(apps, left + 6, askConfig)
    expect(answers.map(isRefused)).toEqual(answers.map((_, index) => index >= left))
    for (const app of apps) expect(codeOf(await askConfig(app))).toBe('rate_limited')
  })

  it('5.8d count the tries to sign in to one account together, and another account is no worse off', async () => {
    const [first, second] = await startTwo()
    const answers = await inTurns([first, second], signIn.points, (app) => trySignIn(app, 'ann@example.org'))
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 401))
    for (const app of [first, second]) {
      const refused = await trySignIn(app, 'Ann@Example.org')
      expect(isRefused(refused)).toBe(true)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await trySignIn(app, 'ben@example.org')).status).toBe(401)
    }
  })

  it('6.4a count the tries at the password of a room together, over sockets and calls', async () => {
    const [first, second] = await startTwo()
    const { id: roomId } = await openJoinedRoom(first, { password: 'sesame' })
    const ann = await connect(first, await signUp(first, 'ann'))
    const overSocket = (password: string) => ann.ask('join_room', { roomId, password })
    const overCall = (password: string) =>
      second.call(ann.user, 'POST', `/api/rooms/${roomId}/join`, { password })
    for (let turn = 0; turn < roomPassword.points; turn++) {
      const attempt = turn % 2 === 0 ? overSocket : overCall
      await expect(attempt('wrong')).rejects.toMatchObject({ code: 'wrong_password' })
    }
    for (const attempt of [overSocket, overCall]) {
      await expect(attempt('sesame')).rejects.toMatchObject({ code: 'rate_limited' })
    }
  })
})

describe('the limits of a process whose Redis is away', () => {
  it('5.8d, 6.4a hold in that process', async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    const clock = createFakeClock(performance.timeOrigin)
    const variables = { PEOPLE_PER_ADDRESS: '10' }
    const app = await startApp({ ...captureLog(), redisUrl: redis.url, clock, variables })
    const { id: roomId } = await openJoinedRoom(app, { password: 'sesame' })
    const ben = await connect(app, await signUp(app, 'ben'))
    await redis.stop()

    freezeWindows()
    const tries = await inTurns([app], signIn.points + 1, (each) => trySignIn(each, misspelt.ann))
    expect(tries.map(isRefused)).toEqual([...Array.from({ length: signIn.points }, () => false), true])
    for (let turn = 0; turn < roomPassword.points; turn++) {
      await expect(ben.ask('join_room', { roomId, password: 'wrong' })).rejects.toMatchObject({
        code: 'wrong_password',
      })
    }
    await expect(ben.ask('join_room', { roomId, password: 'sesame' })).rejects.toMatchObject({
      code: 'rate_limited',
    })
    const answers = await Promise.all(
      Array.from({ length: httpAddress.points / 6 + 1 }, () => askConfig(app)),
    )
    expect(answers.some(isRefused)).toBe(true)
  })

  it('5.8d are those of all again when it is back', async () => {
    const { databaseUrl } = await makeSharedEngines()
    const redis = await startRedis()
    const options = { ...captureLog(), databaseUrl, clock: createFakeClock(performance.timeOrigin) }
    const apps = [
      await startApp({ ...options, redisUrl: redis.url }),
      await startApp({ ...options, redisUrl: redis.url }),
    ]
    await redis.stop()
    expect((await inTurns(apps, 2, (app) => trySignIn(app, misspelt.ann))).some(isRefused)).toBe(false)

    const back = await startRedis(Number(new URL(redis.url).port))
    onTestFinished(() => back.stop())
    await expect.poll(() => countClients(redis.url)).toBe(3 * apps.length)
    // A connection that Redis has accepted is used once it is ready.
    for (const app of apps) await app.rooms.presence.countMembers('any')
    const answers = await inTurns(apps, signIn.points + 1, (app) => trySignIn(app, misspelt.ben))
    expect(answers.map(isRefused).lastIndexOf(true)).toBe(signIn.points)
  })
})

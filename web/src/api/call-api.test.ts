import { AppError } from '@earshot/core/protocol/errors'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { answerCalls, type Asked } from '../testing/contract-network.ts'
import { makeRoom } from '../testing/samples.ts'
import { callApi, callApiRetrying } from './call-api.ts'
import { createQueryClient, sourcesQuery } from './queries.ts'

afterEach(() => void vi.useRealTimers())

const hang = () => new Promise<never>(() => undefined)

const failure = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => error,
  )

it('fills the path and omits undefined query parameters', async () => {
  let asked: Asked | null = null
  answerCalls({
    'GET /api/rooms/:roomId/messages': (call) => {
      asked = call
      return { messages: [], hasMore: false }
    },
  })
  await callApi('GET /api/rooms/:roomId/messages', {
    params: { roomId: 'a/b' },
    query: { before: undefined },
  })
  expect(asked).toMatchObject({ path: '/api/rooms/a%2Fb/messages' })
  expect(String((asked as Asked | null)?.query)).toBe('')
})

it('7.24b the client sends its version', async () => {
  let version: string | null = null
  answerCalls({
    'GET /api/rooms': ({ headers }) => {
      version = headers.get('x-client-version')
      return { rooms: [makeRoom()] }
    },
  })
  expect((await callApi('GET /api/rooms', { query: {} })).rooms).toHaveLength(1)
  expect(version).toBe('2.0.0')
})

it("rejects with the server's error, its code and details", async () => {
  answerCalls({
    'POST /api/rooms/:roomId/join': () => {
      throw new AppError('rate_limited', 'Too many requests', { retryAfterMs: 1_500 })
    },
  })
  const error = await failure(callApi('POST /api/rooms/:roomId/join', { params: { roomId: 'r' }, body: {} }))
  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({ code: 'rate_limited', details: { retryAfterMs: 1_500 } })
})

it('rejects with `unavailable` for an answer outside the contract', async () => {
  const html = () => new Response('<h1>Bad gateway</h1>', { status: 502 }) as never
  answerCalls({ 'GET /api/sources': html })
  expect(await failure(callApi('GET /api/sources', {}))).toMatchObject({ code: 'unavailable' })
  answerCalls({
    'GET /api/sources': () => {
      throw new TypeError('network is down')
    },
  })
  expect(await failure(callApi('GET /api/sources', {}))).toMatchObject({ code: 'unavailable' })
})

it("rejects with the abort's reason", async () => {
  const controller = new AbortController()
  answerCalls({
    'GET /api/sources': () => {
      controller.abort()
      throw controller.signal.reason
    },
  })
  const error = await failure(callApi('GET /api/sources', {}, { signal: controller.signal }))
  expect(error).toMatchObject({ name: 'AbortError' })
})

it('12.2 a call without an answer fails after 10 s', async () => {
  vi.useFakeTimers()
  answerCalls({ 'POST /api/rooms': hang })
  const body = { name: 'Attic', isPublic: true, password: null, preferredSource: 'library' } as const
  let error: unknown = null
  void callApi('POST /api/rooms', { body }).catch((thrown: unknown) => (error = thrown))
  await vi.advanceTimersByTimeAsync(9_900)
  expect(error).toBeNull()
  await vi.advanceTimersByTimeAsync(200)
  expect(error).toMatchObject({ code: 'unavailable' })
})

it('12.2 a read that hangs is tried once more, one that fails twice, and what the server refuses never', async () => {
  vi.useFakeTimers()
  const read = async (answer: () => Promise<never>) => {
    let calls = 0
    answerCalls({
      'GET /api/sources': () => {
        calls += 1
        return answer()
      },
    })
    const query = new QueryObserver(createQueryClient(), sourcesQuery)
    onTestFinished(query.subscribe(() => undefined))
    await vi.advanceTimersByTimeAsync(60_000)
    return { calls, error: query.getCurrentResult().error }
  }
  const fail = (code: 'unavailable' | 'not_found') => () => Promise.reject(new AppError(code))
  expect(await read(hang)).toMatchObject({ calls: 2, error: { code: 'unavailable' } })
  expect(await read(fail('unavailable'))).toMatchObject({ calls: 3, error: { code: 'unavailable' } })
  expect(await read(fail('not_found'))).toMatchObject({ calls: 1, error: { code: 'not_found' } })
})

it('12.2 a call that may arrive twice is sent again without an answer', async () => {
  let calls = 0
  answerCalls({
    'DELETE /api/rooms/:roomId/queue/:entryId': () => {
      calls += 1
      if (calls === 1) throw new TypeError('network is down')
      return { queue: [] }
    },
  })
  const params = { roomId: 'r', entryId: 'e' }
  await callApiRetrying('DELETE /api/rooms/:roomId/queue/:entryId', { params, query: {} })
  expect(calls).toBe(2)
})

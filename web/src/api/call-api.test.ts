import { AppError } from '@earshot/core/protocol/errors'
import { expect, it } from 'vitest'
import { answerCalls, type Asked } from '../testing/contract-network.ts'
import { makeRoom } from '../testing/samples.ts'
import { callApi } from './call-api.ts'

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
  expect((await callApi('GET /api/rooms', {})).rooms).toHaveLength(1)
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
  const error = await failure(callApi('GET /api/sources', {}, controller.signal))
  expect(error).toMatchObject({ name: 'AbortError' })
})

import { hourMs } from '@earshot/core/clock'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { callApi } from './api/call-api.ts'
import { answerCalls } from './testing/contract-network.ts'
import { serverDateNow } from './wall-clock.ts'

const now = Date.parse('2026-11-27T12:00:00Z')

beforeEach(() => void vi.useFakeTimers({ now, toFake: ['Date'] }))
afterEach(() => vi.useRealTimers())

/** Makes a call whose answer has this `Date`. */
async function receiveAnswerOf(date: string): Promise<void> {
  const answer = () => new Response('{"sources":[]}', { headers: { date } }) as never
  answerCalls({ 'GET /api/sources': answer })
  await callApi('GET /api/sources', {})
}

it('16.310 the time is the server’s where the clock of the device is an hour off', async () => {
  await receiveAnswerOf(new Date(now + hourMs).toUTCString())
  expect(serverDateNow()).toBe(now + hourMs)
  vi.setSystemTime(now + 5_000)
  expect(serverDateNow()).toBe(now + hourMs + 5_000)
  await receiveAnswerOf(new Date(now - hourMs).toUTCString())
  expect(serverDateNow()).toBe(now - hourMs)
})

it('16.310 the time is the device’s where that differs by some seconds', async () => {
  await receiveAnswerOf(new Date(now + 10_000).toUTCString())
  expect(serverDateNow()).toBe(now)
  await receiveAnswerOf('yesterday')
  expect(serverDateNow()).toBe(now)
})

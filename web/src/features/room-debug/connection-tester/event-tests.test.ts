import { AppError } from '@earshot/core/protocol/errors'
import { describe, expect, it } from 'vitest'
import { type ServerCalls, NoAnswerError } from '../../../engine/debug-access.ts'
import { makeSnapshot } from '../../../engine/testing/room-fixtures.ts'
import { sendTestMessage, testEcho, testPing, testSync } from './event-tests.ts'

interface Sent {
  event: string
  payload: unknown
  options: unknown
}

/** A server that answers everything the same way, and remembers what it was asked. */
function answerAll(answer: (payload: object) => unknown): { sent: Sent[]; server: ServerCalls } {
  const sent: Sent[] = []
  const call = async (event: string, payload: object, options: unknown) => {
    sent.push({ event, payload, options })
    return answer(payload)
  }
  return { sent, server: { isConnected: () => true, call: call as ServerCalls['call'] } }
}

const failing = (error: Error) =>
  answerAll(() => {
    throw error
  }).server

describe('the ping test', () => {
  it('8.16b says how long the server took', async () => {
    const { sent, server } = answerAll(() => ({}))
    const outcome = await testPing(server)
    expect(outcome).toMatchObject({ kind: 'success', title: 'Ping successful' })
    expect(outcome.text).toMatch(/^Server responded in \d+ms$/)
    expect(sent).toMatchObject([
      { event: 'ping', payload: { time: expect.any(Number) }, options: { timeoutMs: 3_000 } },
    ])
  })

  it.each([
    [new NoAnswerError('not_connected'), 'Socket not available', 'Not connected'],
    [new NoAnswerError('timed_out'), 'Ping failed', 'No acknowledgment'],
    [new NoAnswerError('lost'), 'No acknowledgment', 'The connection was lost before the answer came.'],
    [
      new AppError('rate_limited'),
      'Ping failed',
      'rate_limited: That was too fast. Wait a moment and try again.',
    ],
  ])('8.16a, 8.16b says why it failed: %s', async (error, title, text) => {
    expect(await testPing(failing(error))).toEqual({ kind: 'error', title, text })
  })
})

describe('the echo test', () => {
  it('2.38a, 8.16a waits 5 s for the same to come back', async () => {
    const { sent, server } = answerAll((payload) => ({ ...payload, serverTime: 7 }))
    const outcome = await testEcho(server)
    expect(outcome).toMatchObject({ kind: 'success', title: 'Echo successful' })
    expect(outcome.details).toContain('"serverTime": 7')
    expect(sent).toMatchObject([{ event: 'echo', options: { timeoutMs: 5_000 } }])
  })

  it('fails where something else comes back', async () => {
    const { server } = answerAll((payload) => ({ ...payload, test: 'Hello' }))
    expect(await testEcho(server)).toMatchObject({ kind: 'error', title: 'Echo failed' })
  })

  it('8.16a, 8.16b says that nothing came back', async () => {
    expect(await testEcho(failing(new NoAnswerError('timed_out')))).toEqual({
      kind: 'error',
      title: 'No acknowledgment',
      text: 'Timeout - no response from server',
    })
  })
})

describe('the sync request', () => {
  it('2.38a asks for the room that was given', async () => {
    const { sent, server } = answerAll(() => makeSnapshot({ memberCount: 3 }))
    const outcome = await testSync(server, 'some-room')
    expect(sent).toMatchObject([{ event: 'request_sync', payload: { roomId: 'some-room' } }])
    expect(outcome).toMatchObject({ kind: 'success', title: 'Sync request answered' })
    expect(outcome.details).toContain('"memberCount": 3')
  })

  it('shows the error of the server', async () => {
    expect(await testSync(failing(new AppError('room_not_found')), 'nowhere')).toMatchObject({
      kind: 'error',
      title: 'Sync request failed',
      text: 'room_not_found: Room not found',
    })
  })
})

describe('a test message', () => {
  it('2.38a is sent as it is, and its answer is shown', async () => {
    const { sent, server } = answerAll(() => ({ taken: true }))
    const outcome = await sendTestMessage(server, 'test_message', { message: 'Hello' })
    expect(sent).toMatchObject([{ event: 'test_message', payload: { message: 'Hello' } }])
    expect(outcome).toMatchObject({ kind: 'success', title: 'Message acknowledged' })
    expect(outcome.details).toBe('{\n  "taken": true\n}')
  })

  it('2.38a is refused with the typed error of the server', async () => {
    const outcome = await sendTestMessage(failing(new AppError('unknown_event')), 'test_message', {})
    expect(outcome).toEqual({
      kind: 'error',
      title: 'Message refused',
      text: 'unknown_event: The server does not know how to do that.',
    })
  })
})

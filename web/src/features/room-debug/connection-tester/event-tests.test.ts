import { AppError } from '@earshot/core/protocol/errors'
import { clientEvents } from '@earshot/core/protocol/socket-events'
import { describe, expect, it } from 'vitest'
import { makeSnapshot, makeTimeline } from '../../../engine/testing/room-fixtures.ts'
import { type ServerCalls, NoAnswerError } from '../../../engine/debug-access.ts'
import {
  buildTestPayload,
  findMessageProblem,
  sendTestMessage,
  testEcho,
  testEvents,
  testPing,
  testSync,
} from './event-tests.ts'

interface Sent {
  event: string
  payload: unknown
  options: unknown
}

/** A server that answers every call the same way and records the calls. */
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
  it('8.16b reports how long the server took', async () => {
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
    [new NoAnswerError('lost'), 'No acknowledgment', 'The connection was lost before the answer arrived.'],
    [
      new AppError('rate_limited'),
      'Ping failed',
      'rate_limited: Too many requests. Wait a moment and try again.',
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

  it('fails if something else comes back', async () => {
    const { server } = answerAll((payload) => ({ ...payload, test: 'Hello' }))
    expect(await testEcho(server)).toMatchObject({ kind: 'error', title: 'Echo failed' })
  })

  it('8.16a, 8.16b reports that nothing came back', async () => {
    expect(await testEcho(failing(new NoAnswerError('timed_out')))).toEqual({
      kind: 'error',
      title: 'No acknowledgment',
      text: 'Timeout - no response from server',
    })
  })
})

describe('the sync request', () => {
  it('2.38a requests the given room', async () => {
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
      title: 'Message rejected',
      text: 'unknown_event: The server does not support this.',
    })
  })
})

const input = {
  message: 'Hello',
  roomId: 'room',
  nowMs: 5,
  timeline: makeTimeline({ isPlaying: true }),
  positionMs: 1_234,
}

describe('the payload of a test message', () => {
  it('5.11 needs a connection and a text', () => {
    expect(findMessageProblem(false, 'Hello')).toBe('Not connected')
    expect(findMessageProblem(false, '')).toBe('Not connected')
    expect(findMessageProblem(true, '')).toBe('Empty message')
    expect(findMessageProblem(true, '  ')).toBe('Empty message')
    expect(findMessageProblem(true, 'Hello')).toBeNull()
  })

  it('2.38a is one of five events', () => {
    expect(testEvents).toEqual(['echo', 'ping', 'test_message', 'request_sync', 'playback_update'])
  })

  it.each(testEvents)('2.38a carries the message as %s, in the form that the server expects', (event) => {
    const payload = buildTestPayload(event, input)
    expect(Object.values(payload)).toContain('Hello')
    const known = Object.entries(clientEvents).find(([name]) => name === event)?.[1]
    expect(known?.payload.safeParse(payload).success ?? 'unknown').toBe(
      event === 'test_message' ? 'unknown' : true,
    )
  })

  it('repeats the current playback state', () => {
    expect(buildTestPayload('playback_update', input)).toMatchObject({
      roomId: 'room',
      state: { is_position_update: true, is_playing: true, current_position: 1_234, track_id: 'a' },
    })
  })
})

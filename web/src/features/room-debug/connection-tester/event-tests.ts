import { limits } from '@earshot/core/limits'
import type { Timeline } from '@earshot/core/sync/timeline'
import { printPayload, type ServerCalls, NoAnswerError } from '../../../engine/debug-access.ts'
import { tester as texts } from '../../../texts/connection-tester.ts'
import { fail, failWith, succeed, type TestOutcome } from './test-outcome.ts'
import { wallNow } from '../../../wall-clock.ts'

/** Tests over the socket (2.38a). Each resolves with its outcome; none rejects. */

const clientId = 'connection-tester'

export async function testPing(connection: ServerCalls): Promise<TestOutcome> {
  const elapsedMs = startStopwatch()
  try {
    await connection.call('ping', { time: wallNow() }, { timeoutMs: limits.pingTimeoutMs })
    return succeed(texts.pingSuccessful, texts.respondedIn(elapsedMs()))
  } catch (error) {
    if (error instanceof NoAnswerError && error.reason === 'timed_out') {
      return fail(texts.pingFailed, texts.noAcknowledgment)
    }
    return failWith(error, texts.pingFailed)
  }
}

export async function testEcho(connection: ServerCalls): Promise<TestOutcome> {
  const elapsedMs = startStopwatch()
  const sent = { timestamp: wallNow(), clientId, test: { letters: 'äöü', numbers: [1, 2.5] } }
  try {
    const answer = await connection.call('echo', sent, { timeoutMs: limits.echoTimeoutMs })
    const { serverTime: _, ...returned } = answer
    const details = printPayload(answer)
    if (!isSame(returned, sent)) return fail(texts.echoFailed, texts.echoDiffers, details)
    return succeed(texts.echoSuccessful, texts.echoedIn(elapsedMs()), details)
  } catch (error) {
    return failWith(error, texts.echoFailed)
  }
}

/** Requests a room's snapshot without applying it to the room on the page. */
export async function testSync(connection: ServerCalls, roomId: string): Promise<TestOutcome> {
  const elapsedMs = startStopwatch()
  const payload = { roomId, timestamp: wallNow(), clientId, priority: 'high', forceSync: true }
  try {
    const snapshot = await connection.call('request_sync', payload, { timeoutMs: limits.echoTimeoutMs })
    const { room, memberCount, queue, state, serverTime } = snapshot
    const details = printPayload({ memberCount, queueLength: queue.length, state, serverTime })
    return succeed(texts.syncSuccessful, texts.syncedIn(room?.name ?? '', elapsedMs()), details)
  } catch (error) {
    return failWith(error, texts.syncFailed)
  }
}

/** `ServerCalls` without the contract, to show how the server handles unknown events. */
interface UntypedCalls {
  call(event: string, payload: unknown, options: { timeoutMs: number }): Promise<unknown>
}

/** Sends any payload under any event name and shows the server's answer. */
export async function sendTestMessage(
  connection: ServerCalls,
  event: string,
  payload: unknown,
): Promise<TestOutcome> {
  const server = connection as UntypedCalls
  const elapsedMs = startStopwatch()
  try {
    const answer = await server.call(event, payload, { timeoutMs: limits.echoTimeoutMs })
    return succeed(texts.messageAnswered, texts.answeredIn(event, elapsedMs()), printPayload(answer))
  } catch (error) {
    return failWith(error, texts.messageRefused)
  }
}

/** Returns a function that returns the whole ms since this call. */
function startStopwatch(): () => number {
  const startedAtMs = wallNow()
  return () => Math.round(wallNow() - startedAtMs)
}

/** Compares field by field as JSON: neither side reorders fields. */
const isSame = (a: object, b: object): boolean =>
  Object.entries(b).every(
    ([name, value]) => JSON.stringify(a[name as keyof object]) === JSON.stringify(value),
  )

/** The test messages (2.38a). The server does not know `test_message` and answers with an error. */
export const testEvents = ['echo', 'ping', 'test_message', 'request_sync', 'playback_update'] as const
export type TestEvent = (typeof testEvents)[number]

/** The parts of a test message. */
interface MessageInput {
  message: string
  roomId: string
  nowMs: number
  timeline: Timeline
  /** Where the room is now, in ms. */
  positionMs: number
}

/** Returns why a message cannot be sent, or null (5.11). */
export function findMessageProblem(isConnected: boolean, message: string): string | null {
  if (!isConnected) return texts.notConnected
  return message.trim() === '' ? texts.emptyMessage : null
}

/**
 * Builds the payload in the form that the event expects, with the message added. A playback update repeats the room's
 * current position, so that sending it as the owner changes nothing.
 */
export function buildTestPayload(event: TestEvent, input: MessageInput): object {
  const { message, roomId, nowMs, timeline, positionMs } = input
  switch (event) {
    case 'echo':
      return { timestamp: nowMs, test: message }
    case 'ping':
      return { time: nowMs, message }
    case 'test_message':
      return { timestamp: nowMs, message }
    case 'request_sync':
      return { roomId, timestamp: nowMs, priority: 'normal', message }
    case 'playback_update': {
      const { isPlaying, trackId, sequenceNumber } = timeline
      const state = {
        is_position_update: true,
        is_playing: isPlaying,
        current_position: positionMs,
        track_id: trackId,
        sequence_number: sequenceNumber,
      }
      return { roomId, state, message }
    }
  }
}

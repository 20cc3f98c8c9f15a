import { limits } from '@earshot/core/limits'
import { printPayload, type ServerCalls, NoAnswerError, wallNow } from '../../../engine/debug-access.ts'
import { tester as texts } from '../../../texts.ts'
import { fail, failWith, succeed, type TestOutcome } from './test-outcome.ts'

/** The tests that go over the socket (2.38a). Each resolves with what came of it; none rejects. */

const clientId = 'connection-tester'

export async function testPing(connection: ServerCalls): Promise<TestOutcome> {
  const since = startWatch()
  try {
    await connection.call('ping', { time: wallNow() }, { timeoutMs: limits.pingTimeoutMs })
    return succeed(texts.pingSuccessful, texts.respondedIn(since()))
  } catch (error) {
    if (error instanceof NoAnswerError && error.reason === 'timed_out') {
      return fail(texts.pingFailed, texts.noAcknowledgment)
    }
    return failWith(error, texts.pingFailed)
  }
}

export async function testEcho(connection: ServerCalls): Promise<TestOutcome> {
  const since = startWatch()
  const sent = { timestamp: wallNow(), clientId, test: { text: 'Hörst du mich?', numbers: [1, 2.5] } }
  try {
    const answer = await connection.call('echo', sent, { timeoutMs: limits.echoTimeoutMs })
    const { serverTime: _, ...returned } = answer
    const details = printPayload(answer)
    if (!isSame(returned, sent)) return fail(texts.echoFailed, texts.echoDiffers, details)
    return succeed(texts.echoSuccessful, texts.echoedIn(since()), details)
  } catch (error) {
    return failWith(error, texts.echoFailed)
  }
}

/** Asks for a room's snapshot, and leaves it at that: the room on the page is not touched. */
export async function testSync(connection: ServerCalls, roomId: string): Promise<TestOutcome> {
  const since = startWatch()
  const payload = { roomId, timestamp: wallNow(), clientId, priority: 'high', forceSync: true }
  try {
    const snapshot = await connection.call('request_sync', payload, { timeoutMs: limits.echoTimeoutMs })
    const { room, memberCount, queue, state, serverTime } = snapshot
    const details = printPayload({ memberCount, queueLength: queue.length, state, serverTime })
    return succeed(texts.syncSuccessful, texts.syncedIn(room.name, since()), details)
  } catch (error) {
    return failWith(error, texts.syncFailed)
  }
}

/** `ServerCalls` without the contract: how the server refuses what it does not know is what somebody wants to see. */
interface LooseCalls {
  call(event: string, payload: unknown, options: { timeoutMs: number }): Promise<unknown>
}

/** Sends anything under any name, and shows what the server makes of it. */
export async function sendTestMessage(
  connection: ServerCalls,
  event: string,
  payload: unknown,
): Promise<TestOutcome> {
  const server = connection as LooseCalls
  const since = startWatch()
  try {
    const answer = await server.call(event, payload, { timeoutMs: limits.echoTimeoutMs })
    return succeed(texts.messageAnswered, texts.answeredIn(event, since()), printPayload(answer))
  } catch (error) {
    return failWith(error, texts.messageRefused)
  }
}

/** Returns what tells the whole ms since. */
function startWatch(): () => number {
  const startedAtMs = wallNow()
  return () => Math.round(wallNow() - startedAtMs)
}

/** Neither side reorders the fields. */
const isSame = (a: object, b: object): boolean =>
  Object.entries(b).every(
    ([name, value]) => JSON.stringify(a[name as keyof object]) === JSON.stringify(value),
  )

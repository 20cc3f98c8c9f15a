import type { Timeline } from '@earshot/core/sync/timeline'
import { tester as texts } from '../../../texts.ts'

/** The kinds of test messages (2.38a). `test_message` is no event of the server, which says so. */
export const testEvents = ['echo', 'ping', 'test_message', 'request_sync', 'playback_update'] as const
export type TestEvent = (typeof testEvents)[number]

/** What a test message is made of. */
export interface TestMessageFacts {
  message: string
  roomId: string
  nowMs: number
  timeline: Timeline
  /** Where the room is now, in ms. */
  positionMs: number
}

/** Why a message cannot be sent, or null (5.11). */
export function refuseTestMessage(isConnected: boolean, message: string): string | null {
  if (!isConnected) return texts.notConnected
  return message.trim() === '' ? texts.emptyMessage : null
}

/**
 * What is sent, in the form that the server expects of the event, with the message beside it. A playback update says
 * where the room is anyway: an owner who tries it moves nobody.
 */
export function buildTestPayload(event: TestEvent, facts: TestMessageFacts): object {
  const { message, roomId, nowMs, timeline, positionMs } = facts
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

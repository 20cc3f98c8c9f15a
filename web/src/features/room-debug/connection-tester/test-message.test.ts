import { clientEvents } from '@earshot/core/protocol/socket-events'
import { describe, expect, it } from 'vitest'
import { makeTimeline } from '../../../engine/testing/room-fixtures.ts'
import { buildTestPayload, refuseTestMessage, testEvents } from './test-message.ts'

const facts = {
  message: 'Hello',
  roomId: 'room',
  nowMs: 5,
  timeline: makeTimeline({ isPlaying: true }),
  positionMs: 1_234,
}

describe('a test message', () => {
  it('5.11 needs a connection and words', () => {
    expect(refuseTestMessage(false, 'Hello')).toBe('Not connected')
    expect(refuseTestMessage(false, '')).toBe('Not connected')
    expect(refuseTestMessage(true, '')).toBe('Empty message')
    expect(refuseTestMessage(true, '  ')).toBe('Empty message')
    expect(refuseTestMessage(true, 'Hello')).toBeNull()
  })

  it('2.38a is of one of five kinds', () => {
    expect(testEvents).toEqual(['echo', 'ping', 'test_message', 'request_sync', 'playback_update'])
  })

  it.each(testEvents)('2.38a carries the message as %s, in the form that the server expects', (event) => {
    const payload = buildTestPayload(event, facts)
    expect(Object.values(payload)).toContain('Hello')
    const known = Object.entries(clientEvents).find(([name]) => name === event)?.[1]
    expect(known?.payload.safeParse(payload).success ?? 'unknown').toBe(
      event === 'test_message' ? 'unknown' : true,
    )
  })

  it('says of the playback what is so anyway', () => {
    expect(buildTestPayload('playback_update', facts)).toMatchObject({
      roomId: 'room',
      state: { is_position_update: true, is_playing: true, current_position: 1_234, track_id: 'a' },
    })
  })
})

import { expect, it } from 'vitest'
import { capabilitiesOf } from '../../testing/fake-player.ts'
import { inputOf, nowMs, offsetMs, sampleOf, timelineOf } from '../../testing/follow-inputs.ts'
import { follow } from './follow.ts'

it('17.464 a track that loads before its start reads as in sync where it was loaded ahead, not where a provider loads it', () => {
  const timeline = timelineOf({ atServerMs: nowMs + offsetMs + 500, positionMs: 3_000 })
  const streaming = { ...capabilitiesOf.streaming, canSchedule: true }
  const another = inputOf({ timeline, loadedTrackId: 'other' })
  const loading = inputOf({ timeline, sample: sampleOf('loading', 3_000) })
  for (const input of [another, loading]) {
    expect(follow(input).cause).toBe('in_sync')
    for (const capabilities of [streaming, capabilitiesOf.fineVideo])
      expect(follow({ ...input, capabilities }).cause).toBe('buffering')
  }
})

import { initialClock } from '@earshot/core/sync/clock/clock-offset'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { applyPlayback, applySnapshot } from './server-updates.ts'
import { readInterruptedVisit } from '../interrupted-visit.ts'
import { dropRecoveryCopy, keepRecoveryCopy, readRecoveryCopy, saveRecoveryCopy } from './recovery-copy.ts'
import { emptyRoom, makeSnapshot, makeState, ownerId } from '../testing/room-fixtures.ts'
import { addPending } from './pending-commands.ts'
import { createRoomStore } from './room-state.ts'
import { listen, measureClock, offsetMs, pass, serverNow } from '../testing/listen.ts'
import { wallNow } from '../../wall-clock.ts'

const joined = { ...applySnapshot(emptyRoom(), makeSnapshot()), phase: 'joined' as const }

beforeEach(() => sessionStorage.clear())

describe('the recovery copy of a room', () => {
  it('4.10b brings the room back for 60 s', () => {
    saveRecoveryCopy('room', joined, 1_000)
    expect(readRecoveryCopy('room', ownerId, 60_999)).toMatchObject({
      savedAtMs: 1_000,
      room: { phase: 'joined', room: joined.room, confirmed: joined.confirmed },
    })
    expect(readRecoveryCopy('room', ownerId, 61_000)).toBeNull()
  })

  it('is for the same room and user only', () => {
    saveRecoveryCopy('room', joined, 1_000)
    expect(readRecoveryCopy('other', ownerId, 1_001)).toBeNull()
    expect(readRecoveryCopy('room', 'somebody', 1_001)).toBeNull()
  })

  it('holds the confirmed room, without pending commands', () => {
    const playing = applyPlayback(joined, makeState({ sequenceNumber: 200, isPlaying: true }))
    const pending = { id: 'next', command: 'next', atServerMs: 0 } as const
    saveRecoveryCopy('room', addPending(playing, pending), 1_000)
    const copy = readRecoveryCopy('room', ownerId, 1_001)
    expect(copy?.room.confirmed.track?.id).toBe('a')
    expect(copy?.room).not.toHaveProperty('pending')
    expect(copy?.room).not.toHaveProperty('connection')
  })

  it('4.9b is gone when the room is left on purpose', () => {
    saveRecoveryCopy('room', joined, 1_000)
    dropRecoveryCopy('room')
    expect(readRecoveryCopy('room', ownerId, 1_001)).toBeNull()
  })

  it('is not made of a room that was never joined', () => {
    saveRecoveryCopy('room', emptyRoom(), 1_000)
    expect(readRecoveryCopy('room', ownerId, 1_001)).toBeNull()
  })

  it('is ignored if it is malformed', () => {
    sessionStorage.setItem('room:v2:room', '{')
    expect(readRecoveryCopy('room', ownerId, 1_001)).toBeNull()
  })
})

it('17.453 a page that is left names the room that it is in, and none that it never entered', () => {
  for (const [state, roomId] of [
    [emptyRoom(), null],
    [joined, 'room'],
  ] as const) {
    const clock = { state: () => initialClock, serverNow }
    const stop = keepRecoveryCopy('room', createRoomStore(state), clock)
    window.dispatchEvent(new Event('pagehide'))
    stop()
    expect(readInterruptedVisit()).toBe(roomId)
  }
})

it("17.171 a page that is reloaded fetches the sound at the room's position, before its clock is measured", async () => {
  vi.useFakeTimers({ now: 1_795_000_000_000 })
  onTestFinished(() => void vi.useRealTimers())
  const timeline = { isPlaying: true, positionMs: 5_000, atServerMs: serverNow() }
  const durationMs = 7_200_000
  const playing = applyPlayback(joined, makeState({ ...timeline, durationMs, sequenceNumber: 200 }))
  const clock = measureClock()
  const stop = keepRecoveryCopy('room', createRoomStore(playing), {
    state: () => clock,
    serverNow: () => wallNow() + offsetMs,
  })
  onTestFinished(stop)
  await pass(600_000)
  window.dispatchEvent(new Event('pagehide'))
  const copy = readRecoveryCopy('room', ownerId, wallNow())
  await pass(1_500)
  const { latest, playerLoop } = listen(copy?.room.confirmed.timeline ?? {}, initialClock)
  onTestFinished(() => playerLoop.dispose())
  await pass(300)
  expect(latest().calls).toEqual(['load a at 0'])
  // A page whose system clock is wrong, as here by an hour, knows it as it was when the page before was left.
  const wantedMs = 5_000 + 601_500
  expect(latest().bufferedFromMs[0]).toBeGreaterThan(wantedMs - 2_000)
  expect(latest().bufferedFromMs[0]).toBeLessThan(wantedMs + 1_000)
})

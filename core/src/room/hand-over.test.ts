import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../limits.ts'
import { defaultRoomSettings } from '../protocol/entities.ts'
import { emptyRoom, runCommands, addCommand, server } from '../testing/rooms.ts'
import { type Attendance, findSuccessor, planControls } from './hand-over.ts'
import { reduceRoom } from './reduce-room.ts'
import { nextDueAt } from './due.ts'
import type { RoomState } from './room-state.ts'

const startMs = 1_000_000
const graceMs = limits.ownerAwayMs

/** Reviews the controls of a room with these members present, in order of arrival. */
function review(state: RoomState, present: string[], nowMs: number): RoomState {
  const attendance: Attendance = {
    ownerId: state.ownerId,
    controllerId: state.controllerId,
    isOwnerPresent: present.includes(state.ownerId),
    isControllerPresent: state.controllerId !== null && present.includes(state.controllerId),
    successorId: findSuccessor(
      present.map((id) => ({ id })),
      { ownerId: state.ownerId, answering: new Set(present) },
    ),
  }
  return planControls(state, attendance, nowMs).reduce(
    (room, command) => reduceRoom(room, command, { actor: server, nowMs, leadMs: 0 }).state,
    state,
  )
}

const away = review(emptyRoom, ['bob', 'cay'], startMs)
const handedOver = review(away, ['bob', 'cay'], startMs + graceMs)

describe('the controls of a room whose owner is away', () => {
  it('17.21 pass after a minute to the member who is there longest', () => {
    expect(away).toMatchObject({ controllerId: null })
    expect(nextDueAt(away)).toBe(startMs + graceMs)
    expect(review(away, ['bob', 'cay'], startMs + graceMs - 1)).toBe(away)
    expect(handedOver.controllerId).toBe('bob')
    expect(nextDueAt(handedOver)).toBeNull()
  })

  it.each([3_600_000, -3_600_000])(
    '16.281 pass after a minute, though the server’s clock steps by %i ms',
    (byMs) => {
      const stepped = (room: RoomState) =>
        reduceRoom(room, { type: 'clock_stepped', byMs }, { actor: server, nowMs: startMs, leadMs: 0 }).state
      const steppedAway = stepped(away)
      expect(nextDueAt(steppedAway)).toBe(startMs + byMs + graceMs)
      const dueMs = startMs + byMs + graceMs
      expect(review(steppedAway, ['bob', 'cay'], dueMs - 1)).toBe(steppedAway)
      expect(review(steppedAway, ['bob', 'cay'], dueMs).controllerId).toBe('bob')
      expect(stepped(handedOver).ownerAbsence).toEqual({ sinceMs: startMs + byMs, handOverAtMs: null })
      expect(stepped(emptyRoom)).toBe(emptyRoom)
    },
  )

  it('17.21 pass to an account holder before a guest', () => {
    const members = [{ id: 'owner' }, { id: 'gus', is_guest: true }, { id: 'bob' }]
    const find = (count: number) =>
      findSuccessor(members.slice(0, count), { ownerId: 'owner', answering: new Set(['gus', 'bob']) })
    expect(find(3)).toBe('bob')
    expect(find(2)).toBe('gus')
    expect(find(1)).toBeNull()
  })

  it('16.292 pass to a member who answers no cues only where nobody else is there', () => {
    const members = [{ id: 'rec' }, { id: 'gus', is_guest: true }]
    const find = (...answering: string[]) =>
      findSuccessor(members, { ownerId: 'owner', answering: new Set(answering) })
    expect(find('gus')).toBe('gus')
    expect(find()).toBe('rec')
    expect(find('rec', 'gus')).toBe('rec')
  })

  it('17.21 stay with the member who has them, whoever joins', () => {
    expect(review(handedOver, ['zoe', 'bob'], startMs + 2 * graceMs)).toBe(handedOver)
  })

  it('17.21 are given back as soon as the owner returns, also within the minute', () => {
    for (const room of [away, handedOver]) {
      const back = review(room, ['bob', 'owner'], startMs + graceMs + 1)
      expect(back).toMatchObject({ controllerId: null, ownerAbsence: null })
      expect(nextDueAt(back)).toBeNull()
    }
  })

  it('17.21 pass on 10 s after the member who has them left, unless they come back', () => {
    const leftMs = startMs + 2 * graceMs
    const dropped = review(handedOver, ['cay'], leftMs)
    expect(dropped.controllerId).toBe('bob')
    expect(nextDueAt(dropped)).toBe(leftMs + limits.controllerAwayMs)
    expect(review(dropped, ['cay'], leftMs + limits.controllerAwayMs).controllerId).toBe('cay')
    const back = review(dropped, ['cay', 'bob'], leftMs + 5_000)
    expect(back.controllerId).toBe('bob')
    expect(nextDueAt(back)).toBeNull()
  })

  it('17.21 pass to nobody in an empty room, and at once to who comes later than the minute', () => {
    const deserted = review(away, [], startMs + 1_000)
    expect(nextDueAt(deserted)).toBeNull()
    expect(review(deserted, ['bob'], startMs + 2_000).ownerAbsence?.handOverAtMs).toBe(startMs + graceMs)
    expect(review(deserted, ['bob'], startMs + 10 * graceMs).controllerId).toBe('bob')
    expect(review(handedOver, [], startMs + 2 * graceMs)).toMatchObject({ controllerId: null })
  })

  it('17.20a pass to nobody where the owner alone, or everybody, has them', () => {
    for (const control of ['owner', 'everybody'] as const) {
      const settings = { ...defaultRoomSettings, control }
      const changed = review({ ...handedOver, settings }, ['bob'], startMs + 2 * graceMs)
      expect(changed.controllerId).toBeNull()
      expect(nextDueAt(changed)).toBeNull()
    }
  })

  it('17.21 do not pass twice when two processes decide at once', () => {
    const lookedUp = {
      ownerId: 'owner',
      controllerId: null,
      isOwnerPresent: false,
      isControllerPresent: false,
    }
    const [first] = planControls(away, { ...lookedUp, successorId: 'bob' }, startMs + graceMs)
    const [second] = planControls(away, { ...lookedUp, successorId: 'cay' }, startMs + graceMs)
    const context = { actor: server, nowMs: startMs + graceMs, leadMs: 0 }
    const outcome = reduceRoom(away, first!, context)
    expect(outcome.changes).toEqual(['controls'])
    expect(reduceRoom(outcome.state, second!, context)).toEqual({ state: outcome.state, changes: [] })
    expect(planControls(outcome.state, { ...lookedUp, successorId: 'cay' }, startMs + graceMs)).toEqual([])
  })

  it('17.21 leave the playback and its next change as they are', () => {
    const playing = runCommands(emptyRoom, [addCommand('a'), { type: 'play' }])
    const room = review(playing, ['bob'], startMs)
    expect(room.timeline).toBe(playing.timeline)
    expect(nextDueAt(room)).toBe(Math.min(startMs + graceMs, nextDueAt(playing) ?? Infinity))
  })

  it('17.21 are with a member who is present or nobody, at rest, whatever happened', () => {
    const crowds = fc.array(fc.subarray(['owner', 'bob', 'cay', 'dan']), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(crowds, (history) => {
        let nowMs = startMs
        let state = emptyRoom
        for (const present of history) {
          nowMs += 30_000
          state = review(state, present, nowMs)
        }
        const present = history.at(-1) ?? []
        for (let dueMs = nextDueAt(state); dueMs !== null; dueMs = nextDueAt(state)) {
          nowMs = Math.max(nowMs, dueMs)
          state = review(state, present, nowMs)
        }
        const isWithNobody = present.includes('owner') || present.length === 0
        expect(isWithNobody ? [null] : present).toContain(state.controllerId)
      }),
    )
  })
})

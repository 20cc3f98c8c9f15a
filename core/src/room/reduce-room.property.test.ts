import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../protocol/errors.ts'
import { type Turn, histories, queues, rooms, runHistory } from '../testing/generators.ts'
import { addCommand, contextAt, emptyRoom, guest, runCommands, stranger } from '../testing/rooms.ts'
import { dueAt, dueCommand } from './track-change.ts'
import { permissions } from './permissions.ts'
import { reduceRoom } from './reduce-room.ts'
import type { Actor, RoomState } from './room-state.ts'

// A failing run prints its seed and path; `fc.assert(property, { seed, path })` repeats it.
fc.configureGlobal({ numRuns: 300 })

/** Runs random histories and holds each of their turns against a rule. */
function forEveryTurn(check: (turn: Turn) => void): void {
  fc.assert(fc.property(histories, (history) => runHistory(history).forEach(check)))
}

const isOrdinaryUser = (actor: Actor, { ownerId }: RoomState): boolean =>
  actor.kind === 'user' && actor.id !== ownerId

describe('whatever happens to a room', () => {
  it('4.18 its queue positions are 0 to n-1 and its entry ids are different', () => {
    expect.hasAssertions()
    forEveryTurn(({ outcome }) => {
      const { queue } = outcome.state
      expect(queue.map((entry) => entry.position)).toEqual(queue.map((_, index) => index))
      expect(new Set(queue.map((entry) => entry.entry_id)).size).toBe(queue.length)
    })
  })

  it('5.7a, 6.3a nobody but the owner and the server changes what plays', () => {
    expect.hasAssertions()
    forEveryTurn(({ before, step, outcome }) => {
      // The one exception: the first track of a room without one becomes current, and does not play.
      const isFirstTrack = before.track === null && outcome.state.track !== null
      const { timeline, cue } = outcome.state
      const hasInterfered = isFirstTrack ? timeline.isPlaying || cue : timeline !== before.timeline
      expect(isOrdinaryUser(step.actor, before) && hasInterfered).toBeFalsy()
    })
  })

  it('4.22 each change of the playback raises the sequence number: by 100 play and pause, by 1 all others', () => {
    expect.hasAssertions()
    forEveryTurn(({ before, step, outcome }) => {
      const step100 = ['play', 'pause', 'start_cued'].includes(step.command.type)
      const rise = outcome.changes.includes('playback') ? (step100 ? 100 : 1) : 0
      expect(outcome.state.timeline.sequenceNumber).toBe(before.timeline.sequenceNumber + rise)
    })
  })

  it('says what changed: what is not among the changes is as it was', () => {
    expect.hasAssertions()
    forEveryTurn(({ before, outcome: { state, changes } }) => {
      const untouched = {
        ...(changes.includes('playback') ? {} : { timeline: before.timeline, cue: before.cue }),
        ...(changes.includes('queue') ? {} : { queue: before.queue }),
        ...(changes.includes('track') ? {} : { track: before.track }),
      }
      expect(state).toMatchObject(untouched)
    })
  })

  it('refuses with an error of the closed list, and only that', () => {
    expect.hasAssertions()
    forEveryTurn(({ refused }) => expect(refused === null || refused instanceof AppError).toBe(true))
  })

  it('holds a state that survives being stored, with a position within the track', () => {
    fc.assert(
      fc.property(rooms, (room) => {
        expect(JSON.parse(JSON.stringify(room))).toEqual(room)
        const { timeline, track, cue } = room
        expect(timeline.trackId).toBe(track?.id ?? null)
        expect(timeline.isCueing).toBe(cue !== null)
        expect(timeline.isPlaying && timeline.isCueing).toBe(false)
        expect(timeline.positionMs).toBeGreaterThanOrEqual(0)
        expect(timeline.positionMs).toBeLessThanOrEqual(timeline.durationMs || Infinity)
      }),
    )
  })

  it('4.16a, 4.13b comes to rest by itself: each thing that is due moves the room on, once', () => {
    fc.assert(
      fc.property(rooms, (room) => {
        let state = room
        let nowMs = dueAt(state)
        for (let turn = 0; nowMs !== null; turn++) {
          expect(turn).toBeLessThan(2 * room.queue.length + 2)
          const command = dueCommand(state, nowMs)!
          const context = { actor: { kind: 'server' as const }, nowMs, leadMs: 120 }
          const next = reduceRoom(state, command, context).state
          expect(next.timeline.sequenceNumber).toBeGreaterThan(state.timeline.sequenceNumber)
          expect(reduceRoom(next, command, context).changes).toEqual([])
          state = next
          nowMs = dueAt(state)
        }
      }),
    )
  })

  it('6.2a, 6.5 a stranger is refused everything', () => {
    expect.hasAssertions()
    forEveryTurn(({ step, refused }) => {
      const isRefused = refused instanceof AppError && refused.code === 'not_a_member'
      expect(isRefused).toBe(step.actor === stranger)
    })
  })

  it('6.3a a member who is not the owner is refused whatever the table keeps for the owner', () => {
    expect.hasAssertions()
    forEveryTurn(({ step, refused }) => {
      const isKept = permissions[step.command.type] !== 'member'
      const isRefused = refused instanceof AppError && refused.code === 'not_owner'
      expect(step.actor === guest && isKept && !isRefused).toBe(false)
    })
  })

  it('7.17 whatever order is sent, nothing is lost and nothing appears twice', () => {
    fc.assert(
      fc.property(queues, fc.array(fc.integer({ min: 0, max: 20 })), (queue, order) => {
        const room = { ...runCommands(emptyRoom, [addCommand('current')]), queue }
        const ids = order.map((index) => `entry-${index}`)
        const command = { type: 'arrange_queue' as const, order: ids, added: [], addedBy: 'guest' }
        const { state } = reduceRoom(room, command, contextAt(0))
        const idsOf = (entries: typeof queue) => entries.map((entry) => entry.entry_id).toSorted()
        expect(idsOf(state.queue)).toEqual(idsOf(queue))
      }),
    )
  })
})

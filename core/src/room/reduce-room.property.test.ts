import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError, hasCode } from '../protocol/errors.ts'
import { type Turn, histories, queues, rooms, runHistory } from '../testing/generators.ts'
import { by, addCommand, contextAt, emptyRoom, guest, runCommands, stranger } from '../testing/rooms.ts'
import { permissions } from './permissions.ts'
import { reduceRoom } from './reduce-room.ts'
import { dueAt, dueCommand } from './due.ts'
import { type Actor, type RoomState, serverActor } from './room-state.ts'

// A failing run prints its seed and path; `fc.assert(property, { seed, path })` repeats it.

/** Runs random histories and checks each of their turns. */
function forEveryTurn(check: (turn: Turn) => void): void {
  fc.assert(
    fc.property(histories, (history) => runHistory(history).forEach(check)),
    { numRuns: 300 },
  )
}

const isOrdinaryUser = (actor: Actor, { ownerId }: RoomState): boolean =>
  actor.kind === 'user' && actor.id !== ownerId

describe('a room after any history', () => {
  it('4.18 has queue positions 0 to n-1 and unique entry ids', () => {
    expect.hasAssertions()
    forEveryTurn(({ outcome }) => {
      const { queue } = outcome.state
      expect(queue.map((entry) => entry.position)).toEqual(queue.map((_, index) => index))
      expect(new Set(queue.map((entry) => entry.entry_id)).size).toBe(queue.length)
    })
  })

  it('5.7a, 6.3a only the owner and the server change the playback', () => {
    expect.hasAssertions()
    forEveryTurn(({ before, step, outcome }) => {
      // The only exception: the first track added to an empty room becomes current, cued unless somebody paused.
      const isFirstTrack = before.track === null && outcome.state.track !== null
      const { timeline, cue } = outcome.state
      const isStarted = timeline.isPlaying || (cue !== null && before.isPausedByHand)
      const hasInterfered = isFirstTrack ? isStarted : timeline !== before.timeline
      expect(isOrdinaryUser(step.actor, before) && hasInterfered).toBeFalsy()
    })
  })

  it('4.22 each change of the playback raises the sequence number: by 100 for play and pause, by 1 otherwise', () => {
    expect.hasAssertions()
    forEveryTurn(({ before, step, outcome }) => {
      // To play a room without a track is to change its track.
      const isTrackChange = outcome.changes.includes('track')
      const step100 = ['play', 'pause', 'start_cued'].includes(step.command.type) && !isTrackChange
      const rise = outcome.changes.includes('playback') ? (step100 ? 100 : 1) : 0
      expect(outcome.state.timeline.sequenceNumber).toBe(before.timeline.sequenceNumber + rise)
    })
  })

  it('reports its changes: the other parts are unchanged', () => {
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

  it('refuses commands only with errors of the closed list', () => {
    expect.hasAssertions()
    forEveryTurn(({ refused }) => expect(refused === null || refused instanceof AppError).toBe(true))
  })

  it('has a state that can be stored as JSON, with a position within the track', () => {
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

  it('4.16a, 4.13b comes to rest after its due commands, each of which takes effect once', () => {
    fc.assert(
      fc.property(rooms, (room) => {
        let state = room
        let nowMs = dueAt(state)
        for (let turn = 0; nowMs !== null; turn++) {
          expect(turn).toBeLessThan(2 * room.queue.length + 2)
          const command = dueCommand(state, nowMs)!
          const context = { actor: serverActor, nowMs, leadMs: 120 }
          const next = reduceRoom(state, command, context).state
          expect(next.timeline.sequenceNumber).toBeGreaterThan(state.timeline.sequenceNumber)
          expect(reduceRoom(next, command, context).changes).toEqual([])
          state = next
          nowMs = dueAt(state)
        }
      }),
    )
  })

  it('6.2a, 6.5 refuses every command of a user who is not a member', () => {
    expect.hasAssertions()
    forEveryTurn(({ step, refused }) => {
      expect(hasCode(refused, 'not_a_member')).toBe(step.actor === stranger)
    })
  })

  it('6.3a refuses the commands reserved for the owner to other members', () => {
    expect.hasAssertions()
    forEveryTurn(({ step, refused }) => {
      const isKept = !['queue', 'removal'].includes(permissions[step.command.type])
      const isRefused = hasCode(refused, 'not_owner')
      expect(step.actor === guest && isKept && !isRefused).toBe(false)
    })
  })

  it('7.17 loses and duplicates no entry, in any order', () => {
    fc.assert(
      fc.property(queues, fc.array(fc.integer({ min: 0, max: 20 })), (queue, order) => {
        const room = { ...runCommands(emptyRoom, [addCommand('current')]), queue }
        const ids = order.map((index) => `entry-${index}`)
        const command = { type: 'arrange_queue' as const, order: ids, added: [], addedBy: by('guest') }
        const { state } = reduceRoom(room, command, contextAt(0))
        const idsOf = (entries: typeof queue) => entries.map((entry) => entry.entry_id).toSorted()
        expect(idsOf(state.queue)).toEqual(idsOf(queue))
      }),
    )
  })
})

import { positionAt } from '@earshot/core/sync/timeline'
import { describe, expect, it } from 'vitest'
import { makeEntry, makeTrack } from '../../testing/samples.ts'
import type { PendingCommand, PendingPlayback, PendingQueueEdit } from './optimistic.ts'
import { addPending, removePending } from './pending-commands.ts'
import { type RoomState, viewRoom } from './room-state.ts'
import { applyQueue } from './queue-updates.ts'
import { applyPlayback, applySnapshot } from './server-updates.ts'
import { emptyRoom, makeSnapshot, makeState } from '../testing/room-fixtures.ts'

const joined = applySnapshot(emptyRoom(), makeSnapshot())
const playing = applyPlayback(
  joined,
  makeState({ sequenceNumber: 200, isPlaying: true, positionMs: 1_000, atServerMs: 10_000 }),
)
const pend = (command: { command: 'play' | 'pause' | 'next' | 'previous' }): PendingPlayback => ({
  ...command,
  id: 'command',
  atServerMs: 15_000,
})

const pended = (state: typeof joined, command: PendingCommand) => viewRoom(addPending(state, command))

describe('a pending playback command', () => {
  it('is drawn at once, while the player waits for the server', () => {
    const view = pended(joined, pend({ command: 'play' }))
    expect(view.timeline.isPlaying).toBe(true)
    expect(view.confirmed.timeline.isPlaying).toBe(false)
    expect(positionAt(view.timeline, 15_000)).toBe(0)
  })

  it('pauses at the current position', () => {
    const view = pended(playing, pend({ command: 'pause' }))
    expect(view.timeline).toMatchObject({ isPlaying: false, positionMs: 6_000 })
  })

  it('17.495 pauses a track that is cued, which play leaves as it is', () => {
    const cued = applyPlayback(joined, makeState({ sequenceNumber: 200, positionMs: 5_000, isCueing: true }))
    const paused = pended(cued, pend({ command: 'pause' }))
    expect(paused.timeline).toMatchObject({ isPlaying: false, isCueing: false, positionMs: 5_000 })
    expect([viewRoom(cued).isPlayingOrCued, paused.isPlayingOrCued]).toEqual([true, false])
    expect(pended(cued, pend({ command: 'play' })).timeline).toEqual(cued.confirmed.timeline)
    expect(pended(cued, pend({ command: 'next' })).timeline.isCueing).toBe(true)
  })

  it('seeks to its position', () => {
    const seek = {
      id: 'seek',
      atServerMs: 15_000,
      command: 'seek',
      positionMs: 42_000,
    } as const
    expect(positionAt(pended(playing, seek).timeline, 15_000)).toBe(42_000)
  })

  it('returns to the beginning with previous', () => {
    expect(positionAt(pended(playing, pend({ command: 'previous' })).timeline, 15_000)).toBe(0)
  })

  it('takes the first entry of the queue with next, cued if the room plays', () => {
    const view = pended(playing, pend({ command: 'next' }))
    expect(view.track?.id).toBe('b')
    expect(view.timeline).toMatchObject({ trackId: 'b', positionMs: 0, isPlaying: false, isCueing: true })
    expect(view.queue).toMatchObject([{ id: 'c', position: 0 }])
  })

  it('changes nothing with next when nothing is queued', () => {
    const alone = applyQueue(playing, [], 9)
    expect(pended(alone, pend({ command: 'next' })).track?.id).toBe('a')
  })

  it('is taken back completely when it fails', () => {
    const refused = viewRoom(removePending(addPending(playing, pend({ command: 'next' })), 'command'))
    expect(refused.track?.id).toBe('a')
    expect(refused.queue).toEqual(playing.confirmed.queue)
    expect(refused.timeline).toEqual(playing.confirmed.timeline)
  })

  it('12.1 is drawn on the next state of the server too, until that state is its own', () => {
    const pending = addPending(playing, pend({ command: 'pause' }))
    const seeked = makeState({ sequenceNumber: 201, isPlaying: true, positionMs: 40_000, atServerMs: 14_000 })
    const rebased = viewRoom(applyPlayback(pending, seeked))
    expect(rebased.timeline).toMatchObject({ isPlaying: false, positionMs: 41_000 })
    const paused = makeState({ sequenceNumber: 300, positionMs: 41_200, atServerMs: 16_000 })
    const confirmed = viewRoom(applyPlayback(rebased, { ...paused, command_id: 'command' }))
    expect(confirmed.timeline).toEqual(confirmed.confirmed.timeline)
    expect(confirmed.pending).toEqual([])
  })

  it('is applied on top of an earlier one', () => {
    const paused = addPending(playing, { ...pend({ command: 'pause' }), id: 'first' })
    const both = addPending(paused, { ...pend({ command: 'play' }), id: 'second' })
    expect(viewRoom(both).timeline).toMatchObject({ isPlaying: true, positionMs: 6_000 })
    expect(viewRoom(removePending(both, 'first')).timeline.isPlaying).toBe(true)
  })
})

describe('a pending edit of the queue', () => {
  const queue = ['a', 'b', 'c'].map((id, position) => makeEntry({ id, entry_id: `e-${id}`, position }))
  const add = (id: string): PendingQueueEdit => ({
    command: 'add',
    track: makeTrack({ id }),
    id: `pending-${id}`,
    addedBy: 'u1',
    knownEntryIds: new Set(queue.map((entry) => entry.entry_id)),
  })
  const remove = (entryId: string): PendingQueueEdit => ({ command: 'remove', id: 'removal', entryId })
  const drawn = (edits: PendingQueueEdit[], from = queue) => {
    const edited = edits.reduce(addPending, applyQueue(playing, queue, 9))
    return entriesOf(applyQueue(edited, from, 9))
  }
  const entriesOf = (state: RoomState) => {
    return viewRoom(state).queue.map(
      ({ entry_id, position, isPending }) => `${position} ${entry_id}${isPending ? '?' : ''}`,
    )
  }

  it('shows an added track at the end, as pending', () => {
    expect(drawn([add('d')])).toEqual(['0 e-a', '1 e-b', '2 e-c', '3 pending-d?'])
  })

  it('leaves out a removed entry and closes the gap', () => {
    expect(drawn([remove('e-a'), add('d')])).toEqual(['0 e-b', '1 e-c', '2 pending-d?'])
  })

  it('does not draw a track twice when the broadcast overtakes the answer', () => {
    const arrived = [...queue, makeEntry({ id: 'd', entry_id: 'e-d', position: 3 })]
    expect(drawn([add('d')], arrived)).toEqual(['0 e-a', '1 e-b', '2 e-c', '3 e-d'])
  })

  it('draws a track twice that is added twice, before and after the first broadcast', () => {
    const twice = [add('d'), { ...add('d'), id: 'pending-again' }]
    expect(drawn(twice)).toEqual(['0 e-a', '1 e-b', '2 e-c', '3 pending-d?', '4 pending-again?'])
    const arrived = [...queue, makeEntry({ id: 'd', entry_id: 'e-d', position: 3 })]
    const all = ['0 e-a', '1 e-b', '2 e-c', '3 e-d', '4 pending-again?']
    expect(drawn(twice, arrived)).toEqual(all)
    const repeated = applyQueue(twice.reduce(addPending, applyQueue(playing, queue, 9)), arrived, 9)
    expect(entriesOf(applyQueue(repeated, arrived, 10))).toEqual(all)
  })

  it('does not draw an added track again that was removed before the server answered', () => {
    const arrived = [...queue, makeEntry({ id: 'd', entry_id: 'e-d', position: 3 })]
    const added = applyQueue(addPending(applyQueue(playing, queue, 9), add('d')), arrived, 10)
    expect(entriesOf(applyQueue(added, queue, 11))).toEqual(['0 e-a', '1 e-b', '2 e-c'])
  })

  it('draws a track that is in the queue already once more when it is added again', () => {
    expect(drawn([add('a')])).toEqual(['0 e-a', '1 e-b', '2 e-c', '3 pending-a?'])
  })

  it('ignores the removal of an entry that is gone', () => {
    expect(drawn([remove('e-x')])).toEqual(['0 e-a', '1 e-b', '2 e-c'])
  })

  it('survives a new state of the playback', () => {
    const edited = addPending(applyQueue(playing, queue, 9), add('d'))
    const updated = applyPlayback(edited, makeState({ sequenceNumber: 300 }))
    expect(viewRoom(updated).queue.at(-1)).toMatchObject({ id: 'd', isPending: true })
  })

  it('cannot be played with next before the server has the entry', () => {
    const edited = addPending(applyQueue(playing, [], 9), add('d'))
    const view = pended(edited, pend({ command: 'next' }))
    expect(view.track?.id).toBe('a')
    expect(view.queue).toHaveLength(1)
  })
})

describe('the view of a room', () => {
  it('is the same object for the same state', () => {
    expect(viewRoom(playing)).toBe(viewRoom(playing))
  })

  it('keeps the identity of the queue over other changes', () => {
    const edited = addPending(playing, { command: 'remove', id: 'removal', entryId: 'entry-b' })
    const { queue } = viewRoom(edited)
    expect(viewRoom({ ...edited, volume: 0.5 }).queue).toBe(queue)
    const moved = applyPlayback(playing, makeState({ sequenceNumber: 300 }))
    expect(viewRoom(moved).queue).toBe(viewRoom(playing).queue)
  })
})

import fc from 'fast-check'
import type { QueueEntry, Track } from '../protocol/entities.ts'
import { reduceRoom } from '../room/reduce-room.ts'
import type { Actor, RoomCommand, RoomOutcome, RoomState } from '../room/room-state.ts'
import { by, guest, newRoom, owner, server, startMs, stranger } from './rooms.ts'

/** Arbitraries for property tests. Ids come from small pools, so that collisions are likely. */

const ids = fc.integer({ min: 0, max: 11 })
const entryIds = ids.map((id) => `entry-${id}`)

export const tracks: fc.Arbitrary<Track> = fc.record({
  id: ids.map((id) => `track-${id}`),
  title: fc.string({ maxLength: 20 }),
  artist: fc.string({ maxLength: 20 }),
  album: fc.string({ maxLength: 20 }),
  duration: fc.constantFrom(0, 1_000, 180_000, 200_000, 3_600_000),
  source: fc.constantFrom('library', 'youtube', 'spotify'),
  albumArt: fc.constant(null),
  album_art: fc.constant(null),
})

export const queues: fc.Arbitrary<QueueEntry[]> = fc
  .array(tracks, { maxLength: 12 })
  .map((list) =>
    list.map((track, position) => ({ ...track, entry_id: `entry-${position}`, position, added_by: 'guest' })),
  )

const positions = fc.integer({ min: -5_000, max: 4_000_000 })
const repeatable = fc.record(
  { commandId: fc.integer({ min: 0, max: 40 }).map((id) => `command-${id}`), isFollowUp: fc.boolean() },
  { requiredKeys: [] },
)
const added = fc.array(fc.record({ track: tracks, entryId: entryIds }), { maxLength: 4 })

/** Commands whose tracks and entries may or may not exist. A sequence number is the distance from the current one. */
export const commands: fc.Arbitrary<RoomCommand> = fc.oneof(
  fc
    .tuple(fc.constantFrom('play', 'pause', 'next', 'previous'), repeatable)
    .map(([type, rest]) => ({ type, ...rest })),
  fc.tuple(positions, repeatable).map(([positionMs, rest]) => ({ type: 'seek', positionMs, ...rest })),
  fc.record({
    type: fc.constant('select_track'),
    track: tracks,
    entryId: fc.option(entryIds),
    isPlaying: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('add_track'),
    track: tracks,
    entryId: entryIds,
    addedBy: fc.constant(by('guest')),
  }),
  fc.record({
    type: fc.constant('add_tracks'),
    importId: fc.constantFrom('import-a', 'import-b'),
    tracks: fc.array(fc.option(tracks), { minLength: 1, maxLength: 5 }),
    addedBy: fc.constant(by('guest')),
  }),
  fc.record({ type: fc.constant('remove_entry'), entryId: entryIds }),
  fc.record({ type: fc.constant('move_entry'), entryId: entryIds, index: ids }),
  fc.record({ type: fc.constant('clear_queue') }),
  fc.record({
    type: fc.constant('restore_entries'),
    entries: fc.uniqueArray(
      fc
        .tuple(tracks, entryIds, ids)
        .map(([track, entry_id, position]) => ({ ...track, entry_id, position, added_by: 'guest' })),
      { maxLength: 4, selector: ({ entry_id }) => entry_id },
    ),
    removedAtMs: fc.integer({ min: startMs - 120_000, max: startMs + 1_000_000 }),
  }),
  fc.record({
    type: fc.constant('previous'),
    back: fc.record({ track: tracks, addedBy: fc.constant(null), entryId: entryIds }),
  }),
  fc.record({
    type: fc.constant('arrange_queue'),
    order: fc.array(entryIds, { maxLength: 8 }),
    added,
    addedBy: fc.constant(by('guest')),
  }),
  fc.record({
    type: fc.constant('report_position'),
    positionMs: positions,
    atServerMs: fc.integer({ min: startMs - 10_000, max: startMs + 4_000_000 }),
    isForced: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('correct_duration'),
    durationMs: fc.integer({ min: -1, max: 400_000 }),
  }),
  fc.record({ type: fc.constant('owner_joined'), othersPresent: fc.integer({ min: 0, max: 2 }) }),
  fc.record({
    type: fc.constantFrom('track_ended', 'start_cued'),
    sequenceNumber: fc.constantFrom(0, 0, 0, 1),
  }),
) as fc.Arbitrary<RoomCommand>

export const actors: fc.Arbitrary<Actor> = fc.constantFrom(owner, guest, stranger, server)

export interface Step {
  command: RoomCommand
  actor: Actor
  /** Time since the previous step, in ms. */
  afterMs: number
}

export const histories: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ command: commands, actor: actors, afterMs: fc.constantFrom(0, 1, 120, 300, 3_000, 250_000) }),
  { maxLength: 40 },
)

/** Converts a command's relative sequence number to one of a room in this state. */
export function aimCommand(command: RoomCommand, state: RoomState): RoomCommand {
  return 'sequenceNumber' in command
    ? { ...command, sequenceNumber: state.timeline.sequenceNumber - command.sequenceNumber }
    : command
}

/** A step and its outcome; `refused` is the error thrown, or null. */
export interface Turn {
  before: RoomState
  step: Step
  outcome: RoomOutcome
  refused: unknown
}

/** Runs a history in an empty room and returns each turn. */
export function runHistory(history: readonly Step[]): Turn[] {
  let state = newRoom
  let nowMs = startMs
  return history.map((step) => {
    nowMs += step.afterMs
    const before = state
    let outcome: RoomOutcome = { state, changes: [] }
    let refused: unknown = null
    try {
      const command = aimCommand(step.command, state)
      outcome = reduceRoom(state, command, { actor: step.actor, nowMs, leadMs: 120 })
    } catch (error) {
      refused = error
    }
    state = outcome.state
    return { before, step, outcome, refused }
  })
}

/** Rooms as left by a random history, which may contain refused commands. */
export const rooms: fc.Arbitrary<RoomState> = histories.map(
  (history) => runHistory(history).at(-1)?.outcome.state ?? newRoom,
)

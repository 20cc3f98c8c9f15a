import { describe, expect, it } from 'vitest'
import { addCommand, contextAt, emptyRoom, runCommands } from '../testing/rooms.ts'
import { reduceRoom } from './reduce-room.ts'
import type { RoomCommand } from './room-state.ts'

const room = runCommands(
  emptyRoom,
  ['a', 'b', 'c', 'd'].map((id) => addCommand(id)),
)
const next = (
  rest: { commandId?: string | undefined; isFollowUp?: boolean | undefined } = {},
): RoomCommand => ({
  type: 'next',
  ...rest,
})

describe('a repeated command', () => {
  it('7.20a with the same id is applied once, even much later', () => {
    const once = reduceRoom(room, next({ commandId: 'n1' }), contextAt(0)).state
    expect(once.track?.id).toBe('b')
    const twice = reduceRoom(once, next({ commandId: 'n1', isFollowUp: true }), contextAt(60_000))
    expect(twice).toEqual({ state: once, changes: [] })
  })

  it('7.20a with a different id is a new command', () => {
    const once = reduceRoom(room, next({ commandId: 'n1' }), contextAt(0)).state
    expect(reduceRoom(once, next({ commandId: 'n2' }), contextAt(10)).state.track?.id).toBe('c')
  })

  it('7.20a is recognised even if it changed nothing the first time', () => {
    const noop = reduceRoom(room, { type: 'pause', commandId: 'p1' }, contextAt(0))
    expect(noop.changes).toEqual([])
    const playing = reduceRoom(noop.state, { type: 'play' }, contextAt(100)).state
    expect(reduceRoom(playing, { type: 'pause', commandId: 'p1' }, contextAt(200)).changes).toEqual([])
  })

  it('7.20a without an id is recognised as a follow-up of the same command just before', () => {
    const once = reduceRoom(room, next(), contextAt(0)).state
    const followUp = next({ isFollowUp: true, commandId: undefined })
    expect(reduceRoom(once, next({ isFollowUp: undefined }), contextAt(300)).changes).not.toEqual([])
    expect(reduceRoom(once, followUp, contextAt(300)).changes).toEqual([])
    expect(reduceRoom(once, followUp, contextAt(2_000)).changes).toEqual([])
    expect(reduceRoom(once, followUp, contextAt(2_001)).changes).not.toEqual([])
  })

  it('7.20a without an id is recognised where another command came in between', () => {
    const commands = [{ type: 'play' }, { type: 'pause' }] as const
    const { state } = commands.reduce(
      (step, command, index) => reduceRoom(step.state, command, contextAt(150 * index)),
      { state: room } as { state: typeof room },
    )
    for (const [index, { type }] of commands.entries()) {
      const { changes } = reduceRoom(state, { type, isFollowUp: true }, contextAt(300 + 150 * index))
      expect(changes).toEqual([])
    }
  })

  it('7.20a is applied if the command that it follows up was lost', () => {
    const paused = reduceRoom(room, { type: 'pause' }, contextAt(0)).state
    const { changes } = reduceRoom(paused, { type: 'play', isFollowUp: true }, contextAt(300))
    expect(changes).toEqual(['playback'])
  })

  it('7.20a a follow-up with an id is recognised by its id', () => {
    const once = reduceRoom(room, next({ commandId: 'n1' }), contextAt(0)).state
    const lost = next({ commandId: 'n2', isFollowUp: true })
    expect(reduceRoom(once, lost, contextAt(300)).state.track?.id).toBe('c')
  })

  it('keeps a bounded number of ids, the latest', () => {
    let state = room
    for (let index = 0; index < 100; index++) {
      const command: RoomCommand = { type: 'seek', positionMs: index, commandId: `s${index}` }
      state = reduceRoom(state, command, contextAt(index)).state
    }
    expect(state.recentCommandIds).toHaveLength(64)
    expect(state.recentCommandIds.at(-1)).toBe('s99')
  })
})

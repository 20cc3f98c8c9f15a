import { defaultRoomSettings } from '@earshot/core/protocol/entities'
import { expect, it } from 'vitest'
import { emptyRoom, makeOwnersRoom, makeSnapshot } from '../testing/room-fixtures.ts'
import { type RoomState, viewRoom } from './room-state.ts'
import { applySnapshot, forgetOrder } from './server-updates.ts'
import { applySkipVotes, viewSkipVotes } from './skip-votes.ts'

const room = makeOwnersRoom({ settings: { ...defaultRoomSettings, skipVotes: 'half' } })
const joined = applySnapshot(emptyRoom(), makeSnapshot({ room }))
const counts = { trackId: 'a', turn: 5, votes: 1, needed: 2 }
const shown = (state: RoomState) => viewSkipVotes(viewRoom(state))

it('17.470 shows the votes of the current track alone, and none in a room without votes', () => {
  expect(shown(joined)).toEqual({ votes: 0, needed: 0, isOwn: false })
  const voted = applySkipVotes(joined, counts)
  expect(shown(voted)).toMatchObject({ votes: 1, needed: 2, isOwn: false })
  expect(shown(applySkipVotes(joined, { ...counts, trackId: 'b' }))).toMatchObject({ votes: 0 })
  expect(shown({ ...voted, room: makeOwnersRoom() })).toBeNull()
})

it('17.471 the own vote lasts for its turn, and counts of an earlier one are stale', () => {
  const voted = applySkipVotes(joined, { ...counts, isOwn: true })
  const more = applySkipVotes(voted, { ...counts, votes: 2, needed: 3 })
  expect(shown(more)).toMatchObject({ votes: 2, needed: 3, isOwn: true })
  const next = applySkipVotes(more, { ...counts, turn: 6, votes: 0 })
  expect(shown(next)).toMatchObject({ votes: 0, isOwn: false })
  expect(applySkipVotes(next, counts)).toBe(next)
  // After a connection was lost, the server may count from lower numbers.
  expect(shown(applySkipVotes(forgetOrder(next), counts))).toMatchObject({ votes: 1 })
})

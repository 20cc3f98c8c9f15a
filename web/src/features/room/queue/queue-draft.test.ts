import { describe, expect, it } from 'vitest'
import { makeEntry, makeTrack } from '../../../testing/samples.ts'
import { applyEdits, type QueueEdit } from './queue-draft.ts'

const queue = ['a', 'b', 'c'].map((id, position) => makeEntry({ id, entry_id: `e-${id}`, position }))
const add = (id: string, known = queue): QueueEdit => ({
  type: 'add',
  track: makeTrack({ id }),
  draftId: `draft-${id}`,
  addedBy: 'u1',
  knownEntryIds: new Set(known.map((entry) => entry.entry_id)),
})
const drawn = (edits: QueueEdit[], from = queue) =>
  applyEdits(from, edits).map(
    ({ entry_id, position, isPending }) => `${position} ${entry_id}${isPending ? '?' : ''}`,
  )

describe('the queue with the edits that are on their way', () => {
  it('shows an added track at the end, as pending', () => {
    expect(drawn([add('d')])).toEqual(['0 e-a', '1 e-b', '2 e-c', '3 draft-d?'])
  })

  it('leaves out a removed entry and closes the gap', () => {
    expect(drawn([{ type: 'remove', entryId: 'e-a' }, add('d')])).toEqual(['0 e-b', '1 e-c', '2 draft-d?'])
  })

  it('does not draw a track twice whose entry overtook the answer', () => {
    const arrived = [...queue, makeEntry({ id: 'd', entry_id: 'e-d', position: 3 })]
    expect(drawn([add('d')], arrived)).toEqual(['0 e-a', '1 e-b', '2 e-c', '3 e-d'])
  })

  it('draws a track that is in the queue already once more when it is added again', () => {
    expect(drawn([add('a')])).toEqual(['0 e-a', '1 e-b', '2 e-c', '3 draft-a?'])
  })

  it('ignores the removal of an entry that is gone', () => {
    expect(drawn([{ type: 'remove', entryId: 'e-x' }])).toEqual(['0 e-a', '1 e-b', '2 e-c'])
  })
})

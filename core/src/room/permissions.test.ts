import { describe, expect, it } from 'vitest'
import { emptyRoom, guest, owner, server, stranger } from '../testing/rooms.ts'
import { authorize, permissions } from './permissions.ts'
import type { Actor, RoomCommandType } from './room-state.ts'

const types = Object.keys(permissions) as RoomCommandType[]
const refusal = (type: RoomCommandType, actor: Actor): string | null => {
  try {
    authorize(emptyRoom, type, actor)
    return null
  } catch (error) {
    return (error as { code: string }).code
  }
}
const permitted = (actor: Actor) => types.filter((type) => refusal(type, actor) === null).toSorted()

describe('permissions in a room', () => {
  it('6.3a only the owner may play, pause, skip, go back, seek, and report position and duration', () => {
    const playback = [
      'play',
      'pause',
      'next',
      'previous',
      'seek',
      'select_track',
      'report_position',
      'correct_duration',
      'owner_joined',
    ] as const
    for (const type of playback) {
      expect(refusal(type, owner)).toBeNull()
      expect(refusal(type, guest)).toBe('not_owner')
    }
  })

  it('6.5 any member may add, remove and arrange queue entries', () => {
    expect(permitted(guest)).toEqual([
      'add_track',
      'add_tracks',
      'arrange_queue',
      'clear_queue',
      'move_entry',
      'remove_entry',
      'restore_entry',
    ])
  })

  it('6.2a, 6.5 a user who is not a member may do nothing, not even as the owner', () => {
    expect(permitted(stranger)).toEqual([])
    expect(permitted({ kind: 'user', id: 'owner', isMember: false })).toEqual([])
    for (const type of types) expect(refusal(type, stranger)).toBe('not_a_member')
  })

  it('6.3a only the server may end a track or start a cued one', () => {
    expect(permitted(server)).toEqual(types.toSorted())
    expect(permitted(owner)).not.toContain('track_ended')
    expect(permitted(owner)).not.toContain('start_cued')
  })
})

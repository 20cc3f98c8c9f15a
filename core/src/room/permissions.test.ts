import { describe, expect, it } from 'vitest'
import { defaultRoomSettings, type RoomSettings } from '../protocol/entities.ts'
import { makeTrack } from '../testing/tracks.ts'
import { emptyRoom, guest, owner, server, stranger } from '../testing/rooms.ts'
import { authorize, permissions } from './permissions.ts'
import { type Actor, type RoomCommandType, type RoomState, asMember } from './room-state.ts'

const types = Object.keys(permissions) as RoomCommandType[]
const playback = [
  'play',
  'pause',
  'next',
  'previous',
  'seek',
  'select_track',
  'report_position',
  'correct_duration',
] as const
const roomWith = (settings: Partial<RoomSettings>, controllerId: string | null = null): RoomState => ({
  ...emptyRoom,
  settings: { ...defaultRoomSettings, ...settings },
  controllerId,
})
const refusal = (
  type: RoomCommandType,
  actor: Actor,
  { room = emptyRoom, entryId = 'entry' }: { room?: RoomState; entryId?: string } = {},
): string | null => {
  try {
    authorize(room, { type, entryId }, actor)
    return null
  } catch (error) {
    return (error as { code: string }).code
  }
}
const permitted = (actor: Actor, room?: RoomState) =>
  types.filter((type) => refusal(type, actor, room ? { room } : {}) === null).toSorted()
const memberCommands = [
  'add_track',
  'add_tracks',
  'arrange_queue',
  'clear_queue',
  'move_entry',
  'remove_entry',
  'restore_entries',
]

describe('permissions in a room', () => {
  it('6.3a only the owner may play, pause, skip, go back, seek, and report position and duration', () => {
    for (const type of [...playback, 'owner_joined'] as const) {
      expect(refusal(type, owner)).toBeNull()
      expect(refusal(type, guest)).toBe('not_owner')
    }
  })

  it('6.5 any member may add, remove and arrange queue entries', () => {
    expect(permitted(guest)).toEqual(memberCommands)
  })

  it('6.2a, 6.5 a user who is not a member may do nothing, not even as the owner', () => {
    const rooms = [emptyRoom, roomWith({ control: 'everybody' }), roomWith({}, 'stranger')]
    for (const room of rooms) {
      expect(permitted(stranger, room)).toEqual([])
      expect(permitted({ kind: 'user', id: 'owner', isMember: false }, room)).toEqual([])
      for (const type of types) expect(refusal(type, stranger, { room })).toBe('not_a_member')
    }
  })

  it('6.3a only the server may end a track, start a cued one, or pass the controls on', () => {
    expect(permitted(server)).toEqual(types.toSorted())
    for (const type of ['track_ended', 'start_cued', 'change_controls'] as const) {
      expect(permitted(owner)).not.toContain(type)
      expect(permitted(guest, roomWith({ control: 'everybody' }, 'guest'))).not.toContain(type)
    }
  })

  it('17.22a who has the controls may do for playback what the owner may, and nothing else', () => {
    const room = roomWith({}, 'guest')
    expect(permitted(guest, room)).toEqual([...memberCommands, ...playback].toSorted())
    expect(permitted(asMember('other', false), room)).toEqual(memberCommands)
    expect(permitted(owner, room)).toEqual(permitted(owner))
    expect(() => authorize(room, { type: 'play' }, asMember('other', false))).toThrow(
      'or the member who has the controls',
    )
  })

  it('17.23 where everybody may control, every member may', () => {
    const room = roomWith({ control: 'everybody' })
    expect(permitted(guest, room)).toEqual([...memberCommands, ...playback].toSorted())
  })

  it('17.360 where guests may not change the queue, they keep what else they may do, and accounts keep all', () => {
    const withoutAccount: Actor = { kind: 'user', id: 'gus', isMember: true, isGuest: true }
    expect(permitted(withoutAccount)).toEqual(memberCommands)
    const room = roomWith({ guestsQueue: false, control: 'everybody' })
    expect(permitted(withoutAccount, room)).toEqual(playback.toSorted())
    for (const type of memberCommands)
      expect(refusal(type as RoomCommandType, withoutAccount, { room })).toBe('guests_cannot_queue')
    expect(permitted(guest, room)).toEqual([...memberCommands, ...playback].toSorted())
  })

  it('17.24 where members remove only their own entries, the owner and who has the controls remove any', () => {
    const entry = { ...makeTrack('a'), entry_id: 'entry', position: 0, added_by: 'ann' }
    const room = { ...roomWith({ removal: 'own' }, 'bob'), queue: [entry] }
    for (const id of ['ann', 'bob', 'owner'])
      expect(refusal('remove_entry', asMember(id, false), { room })).toBeNull()
    expect(refusal('remove_entry', guest, { room })).toBe('not_your_entry')
    const ofNobody = { ...room, queue: [{ ...entry, added_by: null }] }
    expect(refusal('remove_entry', guest, { room: ofNobody })).toBe('not_your_entry')
    const shared = { ...room, settings: { ...room.settings, control: 'everybody' as const } }
    expect(refusal('remove_entry', guest, { room: shared })).toBe('not_your_entry')
    expect(refusal('remove_entry', guest, { room, entryId: 'gone' })).toBeNull()
  })
})

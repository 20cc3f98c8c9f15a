import type { Track } from '../protocol/entities.ts'
import { AppError } from '../protocol/errors.ts'
import type { Actor, RoomCommand, RoomCommandType, RoomState } from './room-state.ts'

/**
 * The requirement of each command: to be the owner, to have the controls, to be a member who may change the queue,
 * one who may remove the entry, or the server itself.
 */
type Permission = 'owner' | 'controls' | 'queue' | 'removal' | 'server'

/** Section 6 of docs/spec.md, as one table. */
export const permissions: Readonly<Record<RoomCommandType, Permission>> = {
  play: 'controls',
  pause: 'controls',
  seek: 'controls',
  next: 'controls',
  previous: 'controls',
  select_track: 'controls',
  report_position: 'controls',
  correct_duration: 'controls',
  owner_joined: 'owner',
  remove_entries_of: 'owner',
  add_track: 'queue',
  add_tracks: 'queue',
  remove_entry: 'removal',
  arrange_queue: 'queue',
  move_entry: 'queue',
  restore_entries: 'queue',
  clear_queue: 'queue',
  track_ended: 'server',
  start_cued: 'server',
  start_next: 'server',
  listener_arrived: 'server',
  skip_unavailable: 'server',
  skip_by_vote: 'server',
  await_disk: 'server',
  disk_returned: 'server',
  change_controls: 'server',
  clock_stepped: 'server',
}

export type Controls = Pick<RoomState, 'ownerId' | 'controllerId' | 'settings'>

/** Whether a user is the owner of a room, or controls it while the owner is away. */
export function isInCharge(
  { ownerId, controllerId }: Pick<Controls, 'ownerId' | 'controllerId'>,
  userId: string,
): boolean {
  return userId === ownerId || userId === controllerId
}

/**
 * Whether a member of a room may play, pause, seek and skip: its owner, its controller while the owner is away, or
 * everybody.
 */
export function hasControls(room: Controls, userId: string): boolean {
  return isInCharge(room, userId) || room.settings.control === 'everybody'
}

/** Whether a member may add to the queue and change it: guests as the owner decides. */
export function mayQueue({ settings }: Pick<Controls, 'settings'>, isGuest: boolean): boolean {
  return settings.guestsQueue || !isGuest
}

/**
 * Whether a member may remove a queue entry: any, or only their own. The owner may remove any, and so may the member who has
 * the controls while the owner is away; members who control because everybody does may not.
 */
export function mayRemove(room: Controls, entry: { added_by: string | null }, userId: string): boolean {
  return room.settings.removal === 'anybody' || isInCharge(room, userId) || entry.added_by === userId
}

/**
 * Checks that an actor may issue a command.
 * @throws AppError not_a_member, not_owner, not_your_entry, guests_cannot_queue
 */
export function authorize(
  state: Controls & Pick<RoomState, 'queue' | 'track'>,
  command: Pick<RoomCommand, 'type'> & { entryId?: string | null; track?: Pick<Track, 'id'> },
  actor: Actor,
): void {
  if (actor.kind === 'server') return
  if (!actor.isMember) throw new AppError('not_a_member')
  switch (permissions[command.type]) {
    case 'queue':
      return requireQueue(state, actor)
    case 'controls':
      if (!hasControls(state, actor.id)) throw new AppError('not_owner', toRefusal(state))
      // A track from elsewhere is one that is added.
      if (command.track && !isOfRoom(state, command.track.id)) requireQueue(state, actor)
      return
    case 'removal': {
      requireQueue(state, actor)
      const entry = state.queue.find(({ entry_id }) => entry_id === command.entryId)
      if (!entry || mayRemove(state, entry, actor.id)) return
      throw new AppError('not_your_entry')
    }
    case 'owner':
      if (actor.id === state.ownerId) return
      throw new AppError('not_owner')
    case 'server':
      throw new AppError('not_owner')
  }
}

function isOfRoom({ track, queue }: Pick<RoomState, 'queue' | 'track'>, trackId: string): boolean {
  return track?.id === trackId || queue.some(({ id }) => id === trackId)
}

function requireQueue(state: Controls, { isGuest = false }: { isGuest?: boolean }): void {
  if (!mayQueue(state, isGuest)) throw new AppError('guests_cannot_queue')
}

const toRefusal = ({ controllerId }: Controls): string | undefined =>
  controllerId === null
    ? undefined
    : 'Only the owner of the room, or the member who has the controls, can do that'

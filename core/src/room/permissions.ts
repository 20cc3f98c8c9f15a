import { AppError } from '../protocol/errors.ts'
import type { Actor, RoomCommand, RoomCommandType, RoomState } from './room-state.ts'

/**
 * What a command requires: to be the owner, to have the controls, to be a member, a member who may remove the entry, or
 * the server itself.
 */
export type Permission = 'owner' | 'controls' | 'member' | 'removal' | 'server'

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
  add_track: 'member',
  add_tracks: 'member',
  remove_entry: 'removal',
  arrange_queue: 'member',
  move_entry: 'member',
  restore_entry: 'member',
  clear_queue: 'member',
  track_ended: 'server',
  start_cued: 'server',
  listener_arrived: 'server',
  skip_missing: 'server',
  change_controls: 'server',
  clock_stepped: 'server',
}

export type Controls = Pick<RoomState, 'ownerId' | 'controllerId' | 'settings'>

/** Whether a member of a room may play, pause, seek and skip: its owner, who controls it meanwhile, or everybody. */
export function hasControls({ ownerId, controllerId, settings }: Controls, userId: string): boolean {
  return userId === ownerId || userId === controllerId || settings.control === 'everybody'
}

/**
 * Whether a member may remove a queue entry: any, or only their own. The owner, and who has the controls while they are away,
 * may remove any; who has them because everybody does may not.
 */
export function mayRemove(room: Controls, entry: { added_by: string | null }, userId: string): boolean {
  if (room.settings.removal === 'anybody' || userId === room.ownerId || userId === room.controllerId)
    return true
  return entry.added_by === userId
}

/**
 * Checks that an actor may issue a command.
 * @throws AppError not_a_member, not_owner, not_your_entry
 */
export function authorize(
  state: Controls & Pick<RoomState, 'queue'>,
  command: Pick<RoomCommand, 'type'> & { entryId?: string | null },
  actor: Actor,
): void {
  if (actor.kind === 'server') return
  if (!actor.isMember) throw new AppError('not_a_member')
  switch (permissions[command.type]) {
    case 'member':
      return
    case 'controls':
      if (hasControls(state, actor.id)) return
      throw new AppError('not_owner', toRefusal(state))
    case 'removal': {
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

const toRefusal = ({ controllerId }: Controls): string | undefined =>
  controllerId === null ? undefined : 'Only the owner of the room, or who has the controls, can do that'

import { AppError } from '../protocol/errors.ts'
import type { Actor, RoomCommandType, RoomState } from './room-state.ts'

/** The role required for a command: the owner, any member, or the server itself. */
export type Permission = 'owner' | 'member' | 'server'

/** Section 6 of docs/spec.md, as one table. */
export const permissions: Readonly<Record<RoomCommandType, Permission>> = {
  play: 'owner',
  pause: 'owner',
  seek: 'owner',
  next: 'owner',
  previous: 'owner',
  select_track: 'owner',
  report_position: 'owner',
  correct_duration: 'owner',
  owner_joined: 'owner',
  add_track: 'member',
  add_tracks: 'member',
  remove_entry: 'member',
  arrange_queue: 'member',
  track_ended: 'server',
  start_cued: 'server',
  listener_arrived: 'server',
  skip_missing: 'server',
  clock_stepped: 'server',
}

/**
 * Checks that an actor may issue a command.
 * @throws AppError not_a_member, not_owner
 */
export function authorize(state: RoomState, type: RoomCommandType, actor: Actor): void {
  if (actor.kind === 'server') return
  if (!actor.isMember) throw new AppError('not_a_member')
  const permission = permissions[type]
  if (permission === 'member' || (permission === 'owner' && actor.id === state.ownerId)) return
  throw new AppError('not_owner')
}

import { limits } from '../limits.ts'
import type { RoomCommand, RoomOutcome, RoomState } from './room-state.ts'

/** Hands the controls to the longest present member while the owner is away, and back. */

type ChangeControls = Extract<RoomCommand, { type: 'change_controls' }>

/** Presence in any process, looked up for this owner and this controller. */
export interface Attendance {
  ownerId: string
  controllerId: string | null
  isOwnerPresent: boolean
  isControllerPresent: boolean
  /** The member who would get the controls; null in a room without members. */
  successorId: string | null
}

/**
 * Returns the member who has been there longest, account holders before guests, from members in order of arrival. Those who
 * answer cues come before all others: a recorder or a bot has no use for the controls.
 */
export function findSuccessor(
  members: readonly { id: string; is_guest?: boolean | undefined }[],
  { ownerId, answering }: { ownerId: string; answering: ReadonlySet<string> },
): string | null {
  const others = members.filter(({ id }) => id !== ownerId)
  const listeners = others.filter(({ id }) => answering.has(id))
  const candidates = listeners.length > 0 ? listeners : others
  return (candidates.find(({ is_guest }) => is_guest !== true) ?? candidates[0])?.id ?? null
}

/**
 * Returns the command that assigns the controls according to who is present, or none. Level-triggered: a lost or repeated
 * call does no harm. Returns none for an attendance that was looked up for another owner or controller.
 */
export function planControls(state: RoomState, attendance: Attendance, nowMs: number): ChangeControls[] {
  const { ownerId, controllerId: from, ownerAbsence } = state
  if (attendance.ownerId !== ownerId || attendance.controllerId !== from) return []
  const { to, absence } = decide(state, attendance, nowMs)
  const isSame =
    to === from &&
    absence?.sinceMs === ownerAbsence?.sinceMs &&
    absence?.handOverAtMs === ownerAbsence?.handOverAtMs
  return isSame ? [] : [{ type: 'change_controls', from, to, absence }]
}

function decide(
  { settings, controllerId, ownerAbsence }: RoomState,
  { isOwnerPresent, isControllerPresent, successorId }: Attendance,
  nowMs: number,
): Pick<ChangeControls, 'to' | 'absence'> {
  if (isOwnerPresent) return { to: null, absence: null }
  const sinceMs = ownerAbsence?.sinceMs ?? nowMs
  const rest = { sinceMs, handOverAtMs: null }
  if (settings.control !== 'hand_over' || successorId === null) return { to: null, absence: rest }
  if (isControllerPresent) return { to: controllerId, absence: rest }
  // A controller who drops gets a shorter time than the owner: the room has waited once already.
  const dueMs =
    controllerId === null
      ? Math.max(nowMs, sinceMs + limits.ownerAwayMs)
      : (ownerAbsence?.handOverAtMs ?? nowMs + limits.controllerAwayMs)
  if (dueMs <= nowMs) return { to: successorId, absence: rest }
  return { to: controllerId, absence: { sinceMs, handOverAtMs: dueMs } }
}

/** Passes the controls on; changes nothing where somebody else has them by now. */
export function changeControls(state: RoomState, { from, to, absence }: ChangeControls): RoomOutcome {
  if (state.controllerId !== from) return { state, changes: [] }
  return {
    state: { ...state, controllerId: to, ownerAbsence: absence },
    changes: from === to ? [] : ['controls'],
  }
}

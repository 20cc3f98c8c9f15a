import { limits } from '../limits.ts'
import type { RoomCommand, RoomState } from './room-state.ts'

/**
 * Whether a command was applied already: its id is known, or, where it has none, it says itself that it follows up
 * and a command of its kind came just now.
 */
export function isRepeatedCommand(state: RoomState, command: RoomCommand, nowMs: number): boolean {
  if ('commandId' in command && command.commandId !== undefined) {
    return state.recentCommandIds.includes(command.commandId)
  }
  if (!('isFollowUp' in command) || command.isFollowUp !== true) return false
  const last = state.lastCommand
  return last?.type === command.type && nowMs - last.atMs <= limits.followUpWindowMs
}

/** Remembers a command that clients may repeat, also one that found nothing to change. */
export function rememberCommand(state: RoomState, command: RoomCommand, nowMs: number): RoomState {
  switch (command.type) {
    case 'play':
    case 'pause':
    case 'next':
    case 'previous':
    case 'seek':
    case 'select_track':
      return {
        ...state,
        recentCommandIds: appendId(state.recentCommandIds, command.commandId),
        lastCommand: { type: command.type, atMs: nowMs },
      }
    default:
      return state
  }
}

function appendId(ids: string[], id: string | undefined): string[] {
  return id === undefined ? ids : [...ids, id].slice(-limits.recentCommandIds)
}

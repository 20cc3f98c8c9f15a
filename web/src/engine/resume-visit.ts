import { wallNow } from '../wall-clock.ts'
import { leaveRoom, openRoom } from './current-visit.ts'
import { readInterruptedVisit } from './interrupted-visit.ts'
import { RoomVisit } from './room-visit.ts'
import { readRecoveryCopy } from './state/recovery-copy.ts'

/**
 * Opens the room that an earlier page of this tab was in, for the same user and while its recovery copy counts; otherwise
 * forgets it (17.453).
 */
export function resumeVisit(userId: string): void {
  const roomId = readInterruptedVisit()
  if (roomId === null) return
  if (readRecoveryCopy(roomId, userId, wallNow())) openRoom(RoomVisit, roomId, userId)
  else leaveRoom()
}

import { countUnread } from '../../../engine/chat/chat-history.ts'
import { useRoomState } from '../use-room.ts'

/**
 * Returns how many messages of others the viewer has not seen: they came since the viewer joined, while the chat was not
 * shown, the page was hidden, or the viewer was reading further up.
 */
export const useUnreadMessages = (): number => useRoomState(countUnread)

import { callApi } from '../api/call-api.ts'
import { applyOlderMessages } from './state/server-updates.ts'
import { update, type RoomStore } from './state/room-store.ts'

/** Fetches the page of the chat before the oldest message that is there. Rejects with an AppError. */
export async function loadOlderMessages(roomId: string, store: RoomStore): Promise<void> {
  const { messages, hasOlderMessages } = store.getState()
  const before = messages[0]?.id
  if (!hasOlderMessages || before === undefined) return
  const page = await callApi('GET /api/rooms/:roomId/messages', { params: { roomId }, query: { before } })
  update(store, (data) => applyOlderMessages(data, page.messages, page.hasMore))
}

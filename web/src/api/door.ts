import type { Door } from '@earshot/core/protocol/door-calls'
import { queryOptions } from '@tanstack/react-query'
import { loadAuthClient } from './auth-client.ts'
import { callApi, toAppError } from './call-api.ts'
import { readPageData } from './page-data.ts'
import { readSession } from './session.tsx'

/** The public view of a room, and the call by which a visitor becomes a guest. */

const refreshMs = 10_000

/** Returns the token of an invite link (6.4d). It is in the fragment, which browsers send to no server. */
export const readInvite = (): string | null =>
  new URLSearchParams(window.location.hash.slice(1)).get('invite')

/** A room as its visitors see it: first as the server wrote it into the page. */
export const doorQuery = (roomId: string, invite: string | null) =>
  queryOptions({
    queryKey: ['door', roomId, invite],
    queryFn: async ({ signal }) => (await callDoor(roomId, invite, signal)).door,
    // As a visitor without an invite sees it. That stays where the call fails: the form may hold a name already.
    ...(invite === null
      ? { initialData: () => servedDoor(roomId), initialDataUpdatedAt: 0 }
      : { placeholderData: () => servedDoor(roomId) }),
    refetchInterval: refreshMs,
  })

/** Returns the door that the server wrote into the page. */
function servedDoor(roomId: string): Door | undefined {
  const door = readPageData()?.door
  return door?.id === roomId ? door : undefined
}

function callDoor(roomId: string, invite: string | null, signal: AbortSignal) {
  const params = { roomId }
  return invite === null
    ? callApi('GET /api/rooms/:roomId/door', { params }, { signal })
    : callApi('POST /api/rooms/:roomId/door', { params, body: { invite } }, { signal })
}

/** Enters a name as a guest. Resolves when the page knows the session. @throws AppError */
export async function enterAsGuest(name: string): Promise<void> {
  const { error } = await (
    await loadAuthClient()
  ).$fetch('/sign-in/anonymous', { method: 'POST', body: { name } })
  if (error) throw toAppError(error)
  await readSession()
}

import { limits } from '@earshot/core/limits'
import type { Member } from '@earshot/core/protocol/entities'
import type { Presence } from '../presence/presence.ts'
import { orderMembers } from './room-view.ts'

/**
 * Reads the members that everybody is sent, and the number of all: those who came first, and the owner, who may have come
 * later in a crowd. So a page always knows whether the owner is there (17.454).
 */
export async function readFirstMembers(
  presence: Pick<Presence, 'listMembers' | 'countMembers' | 'findMember'>,
  roomId: string,
  ownerId: string | null,
): Promise<{ users: Member[]; count: number }> {
  const [page, count] = await Promise.all([
    presence.listMembers(roomId, { offset: 0, limit: limits.membersPageSize }),
    presence.countMembers(roomId),
  ])
  const isKnown = page.length < limits.membersPageSize || page.some(({ id }) => id === ownerId)
  const owner = isKnown || ownerId === null ? null : await presence.findMember(roomId, ownerId)
  return { users: orderMembers(owner ? [owner, ...page] : page, ownerId), count }
}

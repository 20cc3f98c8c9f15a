import { limits } from '@earshot/core/limits'
import type { Member } from '@earshot/core/protocol/entities'
import type { Presence } from '../presence/presence.ts'

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

/**
 * Sorts members for display: the owner first, then in order of arrival, without duplicates. Members are stored as they
 * joined, and the owner may have changed since.
 */
export function orderMembers(members: readonly Member[], ownerId: string | null): Member[] {
  const known = [...new Map(members.map((member) => [member.id, toCurrent(member, ownerId)])).values()]
  return [...known.filter((member) => member.is_owner), ...known.filter((member) => !member.is_owner)]
}

function toCurrent(member: Member, ownerId: string | null): Member {
  const is_owner = member.id === ownerId
  return member.is_owner === is_owner ? member : { ...member, is_owner }
}

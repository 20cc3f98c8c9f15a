import type { Member } from '../protocol/entities.ts'

/** Sorts members for display: the owner first, then in order of arrival, without duplicates. */
export function orderMembers(members: readonly Member[]): Member[] {
  const known = [...new Map(members.map((member) => [member.id, member])).values()]
  return [...known.filter((member) => member.is_owner), ...known.filter((member) => !member.is_owner)]
}

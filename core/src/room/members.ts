import type { Member } from '../protocol/entities.ts'

/** The members as they are shown: the owner first, the others in order of arrival, nobody twice. */
export function orderMembers(members: readonly Member[]): Member[] {
  const known = [...new Map(members.map((member) => [member.id, member])).values()]
  return [...known.filter((member) => member.is_owner), ...known.filter((member) => !member.is_owner)]
}

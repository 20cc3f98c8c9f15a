import { limits } from '@earshot/core/limits'
import { httpApi } from '@earshot/core/protocol/http-api'
import { orderMembers } from '@earshot/core/room/members'
import type { FastifyInstance } from 'fastify'
import type { Rooms } from '../../rooms/rooms.ts'
import { registerCall } from '../http-call.ts'

/** Who is in a room now, for its members, a page at a time in order of arrival; the owner leads their page. */
export function registerMemberRoutes(server: FastifyInstance, { membership, presence }: Rooms): void {
  registerCall(server, httpApi.listMembers, async ({ params, query, session }) => {
    await membership.requireMember(params.roomId, session.user)
    const page = { offset: query.offset, limit: limits.membersPageSize }
    const [members, memberCount] = await Promise.all([
      presence.listMembers(params.roomId, page),
      presence.countMembers(params.roomId),
    ])
    return { members: orderMembers(members), memberCount }
  })
}

import { httpApi } from '@earshot/core/protocol/http-api'
import type { FastifyInstance } from 'fastify'
import { addressKey, takePoint } from '../../limits/rate-limits.ts'
import type { Rooms } from '../../rooms/rooms.ts'
import { registerCall } from '../http-call.ts'

/** Serves what visitors see of a room before joining. */
export function registerDoorCalls(server: FastifyInstance, { doors, limiters }: Rooms): void {
  registerCall(server, httpApi.getDoor, async ({ params, session, ip }) => {
    await takePoint(limiters.door, addressKey(ip))
    const viewerId = session?.user.id ?? null
    return { door: await doors.find(params.roomId, { viewerId, invite: null }) }
  })

  registerCall(server, httpApi.getDoorAsInvited, async ({ params, body, session, ip }) => {
    await takePoint(limiters.door, addressKey(ip))
    const viewerId = session?.user.id ?? null
    return { door: await doors.find(params.roomId, { viewerId, invite: body.invite }) }
  })
}

import type { Clock } from '@earshot/core/clock'
import { type Member, memberSchema } from '@earshot/core/protocol/entities'
import type { Redis } from 'ioredis'
import {
  countReadyScript,
  expireScript,
  extendScript,
  holdScript,
  markReadyScript,
  releaseScript,
  releaseUserScript,
} from './presence-scripts.ts'
import type { Departure, Presence } from './presence.ts'

/**
 * Presence that several server processes share. Each change is one script, so two processes never see half of one.
 * Leases are compared with the clocks of the processes, which therefore must agree within a few seconds.
 *
 * Keys, after `prefix`: `seats` (sorted by expiry: "room user seat"), and per room `order` (users by arrival),
 * `users` (user -> member as JSON), `held:<user>` (that user's seats), `live:<user>` (those of them that are connected),
 * `connected` (users who have one) and `ready` (users by the sequence number that they are ready for).
 */
export function createRedisPresence(redis: Redis, clock: Clock, prefix = 'earshot:presence'): Presence {
  const roomKey = (roomId: string, name: string): string => `${prefix}:${roomId}:${name}`
  const run = async (script: string, ...values: (string | number)[]): Promise<string[]> =>
    (await redis.eval(script, 0, prefix, ...values)) as string[]

  return {
    async hold(seats, leaseMs) {
      if (seats.length === 0) return []
      const nowMs = clock.now()
      const values = seats.flatMap((seat) => [
        seat.roomId,
        seat.userId,
        seat.seatId,
        JSON.stringify(seat.member),
        seat.isConnected ? 1 : 0,
      ])
      const indexes = await run(holdScript, nowMs, nowMs + leaseMs, ...values)
      return indexes.flatMap((index) => seats[Number(index)] ?? [])
    },
    async extend({ roomId, userId, seatId }, leaseMs) {
      const name = `${roomId} ${userId} ${seatId}`
      return (await run(extendScript, name, clock.now() + leaseMs)).length > 0
    },
    async release(seats) {
      if (seats.length === 0) return []
      return toDepartures(
        await run(releaseScript, ...seats.flatMap((seat) => [seat.roomId, seat.userId, seat.seatId])),
      )
    },
    async releaseUser(roomId, userId) {
      return (await run(releaseUserScript, roomId, userId)).length > 0
    },
    async expire() {
      return toDepartures(await run(expireScript, clock.now(), expireBatchSize))
    },
    async listMembers(roomId, { offset, limit }) {
      const userIds = await redis.zrange(roomKey(roomId, 'order'), offset, String(offset + limit - 1))
      if (userIds.length === 0) return []
      const members = await redis.hmget(roomKey(roomId, 'users'), ...userIds)
      return members.flatMap((json) => (json === null ? [] : toMember(json)))
    },
    async countMembers(roomId) {
      return await redis.zcard(roomKey(roomId, 'order'))
    },
    async findPresent(roomId, userIds) {
      if (userIds.length === 0) return new Set()
      const scores = await redis.zmscore(roomKey(roomId, 'order'), ...userIds)
      return new Set(userIds.filter((_, index) => scores[index] !== null && scores[index] !== undefined))
    },
    async markReady(roomId, sequenceNumber, userId) {
      await run(markReadyScript, roomId, userId, sequenceNumber)
    },
    async countReady(roomId, sequenceNumber) {
      const [ready, connected] = await run(countReadyScript, roomId, sequenceNumber)
      return { ready: Number(ready), connected: Number(connected) }
    },
  }
}

/** Seats freed by one sweep at most, so that a sweep never holds Redis up; the next one goes on. */
const expireBatchSize = 1_000

function toMember(json: string): Member {
  return memberSchema.parse(JSON.parse(json))
}

/** Scripts answer with rooms and users in turn. */
function toDepartures(values: string[]): Departure[] {
  const departures: Departure[] = []
  for (let index = 0; index + 1 < values.length; index += 2) {
    departures.push({ roomId: values[index] ?? '', userId: values[index + 1] ?? '' })
  }
  return departures
}

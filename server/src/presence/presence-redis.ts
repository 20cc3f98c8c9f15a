import type { Clock } from '@earshot/core/clock'
import { type Member, memberSchema } from '@earshot/core/protocol/entities'
import type { Redis } from 'ioredis'
import {
  countReadyScript,
  countSilentScript,
  countVotesScript,
  expireScript,
  findAnsweringScript,
  findSilentScript,
  renewScript,
  acquireScript,
  markReadyScript,
  recordStartScript,
  leaveScript,
  releaseScript,
  releaseUserScript,
  setVoteScript,
} from './presence-scripts.ts'
import {
  type CueAnswers,
  type Departure,
  type Lease,
  type LeaseKey,
  type Presence,
  type StoredVotes,
  httpHolderId,
} from './presence.ts'

type RunScript = (script: string, ...values: (string | number)[]) => Promise<string[]>

/** Of all keys of presence in Redis. */
export const presencePrefix = 'earshot:presence'

/**
 * Creates presence shared by several server processes. Each change is one script and therefore atomic. Expiry times
 * come from the clocks of the processes, which must agree within a few seconds. The leases of sockets are named after
 * their process, so that they can be ended when it dies (process-leases.ts).
 *
 * Keys, after `prefix`: `seats` (leases sorted by expiry: "room user holder"; named by earlier versions, which may share a
 * cluster), and per room `order` (users by arrival), `users` (user -> member as JSON), `held:<user>` (holders of that user's
 * leases), `live:<user>` (the connected ones), `cues` (the number of cues that started), `answered` (users with a connection,
 * by the number of the last cue that they answered, or connected after), `ready` (users by the sequence number of their cue)
 * and `votes` (users by the turn of the track that they voted to skip).
 */
export function createRedisPresence(
  redis: Redis,
  clock: Clock,
  processId: string,
  prefix = presencePrefix,
): Presence {
  const nameHolder = (holderId: string): string => nameHolderOf(processId, holderId)
  const roomKey = (roomId: string, name: string): string => `${prefix}:${roomId}:${name}`
  const run: RunScript = async (script, ...values) =>
    (await redis.eval(script, 0, prefix, ...values)) as string[]
  const runFor = async (script: string, leases: LeaseKey[]): Promise<Departure[]> => {
    if (leases.length === 0) return []
    const names = leases.flatMap(({ roomId, userId, holderId }) => [roomId, userId, nameHolder(holderId)])
    return toDepartures(await run(script, ...names))
  }

  return {
    async acquire(leases, ttlMs) {
      if (leases.length === 0) return []
      const nowMs = clock.now()
      const values = leases.flatMap((lease) => toArguments(lease, nameHolder(lease.holderId)))
      const indexes = await run(acquireScript, nowMs, nowMs + ttlMs, ...values)
      return indexes.flatMap((index) => leases[Number(index)] ?? [])
    },
    async renew({ roomId, userId, holderId }, ttlMs) {
      const name = `${roomId} ${userId} ${nameHolder(holderId)}`
      return (await run(renewScript, name, clock.now() + ttlMs)).length > 0
    },
    release: (leases) => runFor(releaseScript, leases),
    leave: (leases) => runFor(leaveScript, leases),
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
    async findMember(roomId, userId) {
      const json = await redis.hget(roomKey(roomId, 'users'), userId)
      return json === null ? null : toMember(json)
    },
    async findPresent(roomId, userIds) {
      if (userIds.length === 0) return new Set()
      const scores = await redis.zmscore(roomKey(roomId, 'order'), ...userIds)
      return new Set(userIds.filter((_, index) => scores[index] !== null && scores[index] !== undefined))
    },
    ...createCueAnswers(run),
    ...createStoredVotes(run, redis, (roomId) => roomKey(roomId, 'votes')),
  }
}

function createCueAnswers(run: RunScript): CueAnswers {
  return {
    async markReady(roomId, sequenceNumber, userId) {
      await run(markReadyScript, roomId, userId, sequenceNumber)
    },
    async countReady(roomId, sequenceNumber) {
      const [ready, answering] = await run(countReadyScript, roomId, sequenceNumber)
      return { ready: Number(ready), answering: Number(answering) }
    },
    async recordStart(roomId) {
      await run(recordStartScript, roomId)
    },
    async countSilent(roomId) {
      const [silent] = await run(countSilentScript, roomId)
      return Number(silent)
    },
    async findAnswering(roomId, userIds) {
      return new Set(userIds.length > 0 ? await run(findAnsweringScript, roomId, ...userIds) : [])
    },
    async findSilent(roomId, userIds) {
      return new Set(userIds.length > 0 ? await run(findSilentScript, roomId, ...userIds) : [])
    },
  }
}

function createStoredVotes(run: RunScript, redis: Redis, votesKey: (roomId: string) => string): StoredVotes {
  return {
    async setVote(roomId, userId, turn) {
      if (turn !== null) return (await run(setVoteScript, roomId, userId, turn)).length > 0
      await redis.zrem(votesKey(roomId), userId)
      return false
    },
    async hasVoted(roomId, userId, turn) {
      const voted = await redis.zscore(votesKey(roomId), userId)
      return voted !== null && Number(voted) === turn
    },
    async countVotes(roomId, turn) {
      const [votes, answering] = await run(countVotesScript, roomId, turn)
      return { votes: Number(votes), answering: Number(answering) }
    },
  }
}

/** Leases expired per sweep, so that a sweep never blocks Redis for long; the next sweep continues. */
const expireBatchSize = 1_000

/** A lease of an HTTP call belongs to no process. */
function nameHolderOf(processId: string, holderId: string): string {
  return holderId === httpHolderId ? holderId : `${processId}.${holderId}`
}

function toArguments({ roomId, userId, member, isConnected }: Lease, holder: string): (string | number)[] {
  return [roomId, userId, holder, JSON.stringify(member), isConnected ? 1 : 0]
}

function toMember(json: string): Member {
  return memberSchema.parse(JSON.parse(json))
}

/** Scripts return rooms and users alternately. */
function toDepartures(values: string[]): Departure[] {
  const departures: Departure[] = []
  for (let index = 0; index + 1 < values.length; index += 2) {
    departures.push({ roomId: values[index] ?? '', userId: values[index + 1] ?? '' })
  }
  return departures
}

import type { Base } from '../base.ts'
import { newId } from '../ids.ts'
import { createMemoryPresence } from './presence-memory.ts'
import { createRedisPresence } from './presence-redis.ts'
import { createProcessLeases } from './process-leases.ts'

/** Opens presence: in memory, or shared by the processes of a Redis. */
export function openPresence({ redis, clock }: Pick<Base, 'redis' | 'clock'>) {
  if (!redis) return { presence: createMemoryPresence(clock), processes: null }
  const processId = newId()
  return {
    presence: createRedisPresence(redis.commands, clock, processId),
    processes: createProcessLeases(redis.commands, clock, processId),
  }
}

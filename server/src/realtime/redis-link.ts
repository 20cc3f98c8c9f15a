import { Redis } from 'ioredis'
import type { Logger } from 'pino'

/** The connections over which server processes share presence, limits and what they tell rooms. */
export interface RedisLink {
  /** For presence and limits: gives up on a command after a while, so that nobody waits for a Redis that is away. */
  commands: Redis
  /** For broadcasts: fails at once while Redis is away, so that this process's own sockets still hear. */
  publisher: Redis
  subscriber: Subscriber
  /** Resolves when the subscriptions made so far are in force. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** What the adapter of socket.io needs of a connection that listens; it does not wait for what it asks for. */
export interface Subscriber {
  on(event: 'smessageBuffer', listener: (channel: Buffer, message: Buffer) => void): void
  ssubscribe(channel: string): void
  sunsubscribe(channels: string | string[]): void
}

const commandTimeoutMs = 2_000

/** Connects; rejects with a message that names the variable where Redis cannot be reached. */
export async function openRedisLink(url: string, logger: Logger): Promise<RedisLink> {
  const commands = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 1,
    commandTimeout: commandTimeoutMs,
  })
  const publisher = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
  })
  const subscriber = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: null })
  const connections = [commands, publisher, subscriber]
  for (const connection of connections) {
    connection.on('error', (error: Error) => logger.warn({ err: error }, 'Redis connection failed'))
  }
  try {
    await Promise.all(connections.map((connection) => connection.connect()))
  } catch (error) {
    for (const connection of connections) connection.disconnect()
    throw new Error('REDIS_URL: there is no Redis server that answers there', { cause: error })
  }

  return {
    commands,
    publisher,
    subscriber: toSubscriber(subscriber, logger),
    async settle() {
      if (subscriber.status === 'ready') await subscriber.ping()
    },
    async close() {
      await Promise.allSettled(connections.map(closeConnection))
    },
  }
}

function toSubscriber(redis: Redis, logger: Logger): Subscriber {
  const report = (error: unknown): void => logger.warn({ err: error }, 'a Redis subscription failed')
  return {
    on: (event, listener) => void redis.on(event, listener),
    ssubscribe: (channel) => void redis.ssubscribe(channel).catch(report),
    sunsubscribe: (channels) => void redis.sunsubscribe(...[channels].flat()).catch(report),
  }
}

/** A connection that is away would wait for Redis to come back before it said goodbye. */
async function closeConnection(connection: Redis): Promise<void> {
  if (connection.status === 'ready') await connection.quit()
  else connection.disconnect()
}

import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { type Publisher, type Subscriber, createPublisher, createSubscriber } from './redis-channels.ts'

/** The Redis connections by which server processes share presence, limits and broadcasts. */
export interface RedisLink {
  /** For presence and limits. Commands time out, so that callers do not hang while Redis is down. */
  commands: Redis
  /** For broadcasts. What cannot be sent at once is lost. */
  publisher: Publisher
  subscriber: Subscriber
  /** Resolves when the subscriptions made so far are active. Rejects where Redis does not answer in time. */
  settle(): Promise<void>
  close(): Promise<void>
}

const commandTimeoutMs = 2_000
/** After so long without an answer a connection is replaced: the network may have dropped it without an error. */
const socketTimeoutMs = 10_000
const quitTimeoutMs = 1_000
/** Between two moves to a new primary: the address may go on leading to the replica for a while. */
const moveEveryMs = 1_000

/** Connects to Redis. Rejects with a message that names the variable if it cannot be reached. */
export async function openRedisLink(url: string, logger: Logger): Promise<RedisLink> {
  const commands = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 1,
    commandTimeout: commandTimeoutMs,
    socketTimeout: socketTimeoutMs,
    // Its caller has given up a command by then, and would never learn whose leases it acquired or expired.
    autoResendUnfulfilledCommands: false,
    reconnectOnError: followPrimary(() => [publisher, subscriber], logger),
  })
  const publisher = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    socketTimeout: socketTimeoutMs,
  })
  const subscriber = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    socketTimeout: socketTimeoutMs,
    // ioredis leaves a failure of it unhandled, which ends the process: createSubscriber does it.
    autoResubscribe: false,
  })
  const connections = [commands, publisher, subscriber]
  let reason = 'it does not answer in time'
  for (const connection of connections) {
    connection.on('error', ({ message, stack }: Error) => {
      reason = message
      // Not the whole error: it holds the command, and that of a refused sign-in the password.
      logger.warn({ err: { message, stack } }, 'Redis connection failed')
    })
  }
  try {
    await Promise.all(connections.map((connection) => connection.connect()))
    checkServer(await commands.info('server'))
  } catch (error) {
    for (const connection of connections) connection.disconnect()
    if (error instanceof UnfitRedisError) throw error
    throw new Error(describeFailure(reason), { cause: error })
  }

  const listening = createSubscriber(subscriber, logger)
  return {
    commands,
    publisher: createPublisher(publisher, logger),
    subscriber: listening,
    // While it connects anew, this waits until it is subscribed again.
    settle: () => withTimeout(subscriber.ping()),
    async close() {
      listening.close()
      await Promise.allSettled(connections.map(closeConnection))
    },
  }
}

/** Of ioredis. */
const reconnectAndResend = 2

/**
 * Returns the `reconnectOnError` of the connection that writes. After a failover the old primary may keep its
 * connections and refuse writes. All connect anew then: a replica takes broadcasts without an error, and only its own
 * clients get them.
 */
function followPrimary(
  others: () => Redis[],
  logger: Logger,
): (error: Error) => typeof reconnectAndResend | false {
  let movedAtMs = -Infinity
  return ({ message }) => {
    if (!message.startsWith('READONLY') || performance.now() - movedAtMs < moveEveryMs) return false
    movedAtMs = performance.now()
    logger.warn('Redis has become a replica; connecting to the new primary')
    for (const connection of others()) connection.disconnect(true)
    return reconnectAndResend
  }
}

function describeFailure(reason: string): string {
  if (reason.startsWith('NOAUTH')) {
    return 'REDIS_URL: the Redis server there requires a password. Add it: redis://:PASSWORD@host:6379'
  }
  if (reason.startsWith('WRONGPASS')) return 'REDIS_URL: the Redis server there refuses this user or password'
  return `REDIS_URL: there is no Redis server that answers there: ${reason}`
}

/** Earlier versions have no sharded publish and subscribe: events of other processes would never arrive. */
const oldestMajor = 7

/** Kinds of servers that answer, and cannot hold what processes share. */
const unfitModes: Record<string, string> = {
  cluster:
    'the server there is part of a Redis Cluster. Earshot keeps all its keys on one server: give the address of a single one',
  sentinel:
    'the server there is a Sentinel, which holds no data. Give the address of the primary, or of a proxy that leads to it',
}

class UnfitRedisError extends Error {
  constructor(reason: string) {
    super(`REDIS_URL: ${reason}.`)
    this.name = 'UnfitRedisError'
  }
}

/**
 * Checks what a server says about itself (INFO). One that says nothing, such as a compatible one, is accepted.
 * @throws UnfitRedisError
 */
function checkServer(info: string): void {
  const mode = unfitModes[/^(?:redis|server)_mode:(\w+)/m.exec(info)?.[1] ?? '']
  if (mode !== undefined) throw new UnfitRedisError(mode)
  const version = /^redis_version:(\d+)\.(\S*)/m.exec(info)
  if (!version || Number(version[1]) >= oldestMajor) return
  const found = `${version[1]}.${version[2]}`
  throw new UnfitRedisError(
    `Earshot needs Redis ${oldestMajor} or newer, and the server there is ${found}. Update it`,
  )
}

async function withTimeout(answer: Promise<unknown>): Promise<void> {
  const signal = AbortSignal.timeout(commandTimeoutMs)
  const { promise, reject } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => reject(new Error('Command timed out')), { once: true })
  await Promise.race([answer, promise])
}

/** Quits, unless Redis is away or goes away before it answers: `quit` would then wait for it to come back. */
async function closeConnection(connection: Redis): Promise<void> {
  const gaveUp = delay(quitTimeoutMs, undefined, { ref: false })
  if (connection.status === 'ready') await Promise.race([connection.quit(), gaveUp])
  connection.disconnect()
}

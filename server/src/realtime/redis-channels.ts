import type { Redis } from 'ioredis'
import type { Logger } from 'pino'

/** The subset of a Redis client that socket.io's adapter publishes with. */
export interface Publisher {
  /** Resolves at once: members of the same process do not wait for Redis. */
  spublish(channel: string, message: string | Buffer): Promise<void>
  /** The connection was made anew. */
  onRestored(listener: OnRestored): void
}

/** The subset of a Redis subscriber that socket.io's adapter uses. It ignores results. */
export interface Subscriber {
  on(event: 'smessageBuffer', listener: (channel: Buffer, message: Buffer) => void): void
  ssubscribe(channel: string): void
  sunsubscribe(channels: string | string[]): void
  /** The subscriptions are active again after the connection was lost. */
  onRestored(listener: OnRestored): void
  /** Stops its pings. */
  close(): void
}

/** Called once channels work again: messages of the last `agoMs` may be lost. */
type OnRestored = (agoMs: number) => void

export function createPublisher(redis: Redis, logger: Logger): Publisher {
  let unsentSinceMs: number | null = null
  return {
    async spublish(channel, message) {
      const atMs = performance.now()
      redis.spublish(channel, message).then(
        // Redis executes the commands of a connection in order: a late answer is also one to all before it.
        () => (unsentSinceMs = null),
        (error: unknown) => {
          if (unsentSinceMs !== null) return
          unsentSinceMs = atMs
          logger.warn(
            { err: error },
            'Could not publish to Redis; other processes read what changed when it is back',
          )
        },
      )
    },
    onRestored(listener) {
      redis.on('ready', () => {
        const nowMs = performance.now()
        listener(nowMs - (unsentSinceMs ?? nowMs))
        unsentSinceMs = null
      })
    },
  }
}

/** A subscriber only listens, so it asks for an answer at this interval. */
const pingMs = 5_000

/** Subscribes again whenever the connection was made anew; `redis` does not do so by itself. */
export function createSubscriber(redis: Redis, logger: Logger): Subscriber {
  const subscribed = new Set<string>()
  let answeredAtMs = performance.now()
  const ping = async (): Promise<void> => {
    const askedAtMs = performance.now()
    await redis.ping()
    answeredAtMs = askedAtMs
  }
  const pinging = setInterval(() => {
    if (redis.status === 'ready') ping().catch(() => {})
  }, pingMs).unref()
  const report = (error: unknown): void =>
    logger.warn({ err: error }, 'Redis subscription failed; events from other processes may be missing')
  redis.on('ready', () => {
    // Said once, however many there are.
    Promise.all(Array.from(subscribed, (channel) => redis.ssubscribe(channel))).catch(report)
  })
  return {
    on: (event, listener) => void redis.on(event, listener),
    ssubscribe(channel) {
      subscribed.add(channel)
      redis.ssubscribe(channel).catch(report)
    },
    sunsubscribe(channels) {
      const given = [channels].flat()
      for (const channel of given) subscribed.delete(channel)
      redis.sunsubscribe(...given).catch(report)
    },
    onRestored(listener) {
      redis.on('ready', () => {
        const missedSinceMs = answeredAtMs
        // Answered behind the subscriptions; where the connection is lost again, behind those of the next one.
        ping().then(
          () => listener(performance.now() - missedSinceMs),
          () => {},
        )
      })
    },
    close: () => clearInterval(pinging),
  }
}

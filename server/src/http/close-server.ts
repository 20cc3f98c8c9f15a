import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError, toWireError } from '@earshot/core/protocol/errors'
import type { FastifyInstance } from 'fastify'

/** After so many turns of the event loop without a new connection or request, all that have arrived are read. */
const quietTurns = 8
/** A busy machine delivers late. */
const turnMs = 1
const readWithinMs = 2_000
/** Time for all responses in progress. Audio, which may stream for minutes, is cut off then. */
const allWithinMs = 1_000
/** Time for requests that have no response yet: what they store must not go unanswered. */
const answersWithinMs = 4_000
const checkEveryMs = 20

interface Traffic {
  responses: Set<ServerResponse>
  /** Connections and requests so far. */
  arrivals: number
}

const trafficOf = new WeakMap<FastifyInstance, Traffic>()

/** Notes what arrives at a server, for `closeServer`. */
export function trackTraffic(server: FastifyInstance): void {
  const traffic: Traffic = { responses: new Set(), arrivals: 0 }
  trafficOf.set(server, traffic)
  server.server.on('connection', () => {
    traffic.arrivals += 1
  })
  server.server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    traffic.arrivals += 1
    traffic.responses.add(response)
    response.once('close', () => traffic.responses.delete(response))
  })
}

/** Refuses what arrives while the server closes. Fastify would do so past the hooks, without headers and in a shape of its own. */
export function refuseWhileClosing(server: FastifyInstance): void {
  let isClosing = false
  server.addHook('preClose', async () => {
    isClosing = true
  })
  server.addHook('onRequest', async (_request, reply) => {
    // Not thrown: it would be logged as a failure.
    return isClosing ? reply.code(503).send({ error: toWireError(new AppError('unavailable')) }) : undefined
  })
}

/**
 * Closes a server made by `createServer`: answers every request that has arrived, for at most `answersWithinMs`, then
 * cuts off the others.
 */
export async function closeServer(server: FastifyInstance): Promise<void> {
  const traffic = trafficOf.get(server)
  if (!traffic) throw new Error('This server was not made by createServer')
  // From here on, so that closing ends before the process does.
  const giveUpAtMs = performance.now() + answersWithinMs
  await readArrived(traffic)
  const closed = server.close()
  const stopWaiting = new AbortController()
  const cutOff = cutOffLate(server, traffic, { signal: stopWaiting.signal, giveUpAtMs }).catch(
    () => undefined,
  )
  await closed
  stopWaiting.abort()
  await cutOff
}

/** Closing resets connections whose request is not read yet. A turn accepts a single connection. */
async function readArrived(traffic: Traffic): Promise<void> {
  const giveUpAtMs = performance.now() + readWithinMs
  for (let quiet = 0; quiet < quietTurns && performance.now() < giveUpAtMs;) {
    const before = traffic.arrivals
    await delay(turnMs)
    quiet = traffic.arrivals === before ? quiet + 1 : 0
  }
}

async function cutOffLate(
  server: FastifyInstance,
  { responses }: Traffic,
  { signal, giveUpAtMs }: { signal: AbortSignal; giveUpAtMs: number },
): Promise<void> {
  const isAnyAwaited = (): boolean => [...responses].some(({ headersSent }) => !headersSent)
  await delay(allWithinMs, null, { signal })
  while (isAnyAwaited() && performance.now() < giveUpAtMs) await delay(checkEveryMs, null, { signal })
  server.server.closeAllConnections()
}

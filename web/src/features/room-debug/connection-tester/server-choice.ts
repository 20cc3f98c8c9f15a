import { limits } from '@earshot/core/limits'
import type { ServerConnection } from '../../../realtime/server-connection.ts'
import { checkHealth } from '../http-checks.ts'

/** How fast each configured server is, and going over to another (2.38b). */

export interface MeasuredServer {
  url: string
  /** Null where it did not answer, or is not healthy. */
  latencyMs: number | null
}

/** The second of two requests counts: the first one pays for the way there. */
export async function measureServers(
  servers: readonly string[],
  check = checkHealth,
): Promise<MeasuredServer[]> {
  return Promise.all(
    servers.map(async (url) => {
      const report = (await check(url)) && (await check(url))
      return { url, latencyMs: report?.status === 200 ? report.latencyMs : null }
    }),
  )
}

/** The index of the server with the lowest latency, or null where none answered. */
export function findBestServer(measured: readonly MeasuredServer[]): number | null {
  const latencies = measured.map(({ latencyMs }) => latencyMs ?? Infinity)
  const lowest = Math.min(...latencies)
  return lowest < Infinity ? latencies.indexOf(lowest) : null
}

/** Goes over to a server; resolves with whether the connection to it stands before the time is up. */
export function switchToServer(
  connection: Pick<ServerConnection, 'state' | 'watch' | 'switchServer'>,
  serverIndex: number,
): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isConnected: boolean) => {
      clearTimeout(timeout)
      stopWatching()
      resolve(isConnected)
    }
    connection.switchServer(serverIndex)
    const timeout = setTimeout(() => settle(false), limits.connectTimeoutMs)
    const stopWatching = connection.watch(() => {
      const state = connection.state()
      if (state.status === 'connected') settle(state.serverIndex === serverIndex)
    })
  })
}

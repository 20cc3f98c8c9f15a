import { limits } from '@earshot/core/limits'
import { clientVersion } from '@earshot/core/protocol/wire-constants'

/** Checks of a server over plain HTTP (2.38b). Latencies in ms; no check rejects. */

export type SendRequest = (url: string, init: RequestInit) => Promise<Response>

const sendRequest: SendRequest = (url, init) => fetch(url, init)
const healthUrl = (server: string): string => new URL('/health', server).href
const requestOptions = (): RequestInit => ({
  cache: 'no-store',
  credentials: 'omit',
  headers: { 'x-client-version': clientVersion },
  signal: AbortSignal.timeout(limits.connectTimeoutMs),
})

export interface HealthReport {
  status: number
  latencyMs: number
  /** The parsed answer, or null if it was not JSON. */
  body: unknown
}

/** Requests the server's health; null if it cannot be reached. */
export async function checkHealth(server: string, send = sendRequest): Promise<HealthReport | null> {
  const startedAtMs = performance.now()
  try {
    const answer = await send(healthUrl(server), requestOptions())
    const latencyMs = performance.now() - startedAtMs
    return { status: answer.status, latencyMs, body: await answer.json().catch(() => null) }
  } catch {
    return null
  }
}

export interface CorsReport {
  verdict: 'enabled' | 'not_enabled' | 'failed'
  isSameOrigin: boolean
  /** The header `access-control-allow-origin`; null if it is missing or hidden by the browser. */
  allowOrigin: string | null
}

/**
 * Checks whether pages of other origins may read the server's answers. On the same origin the header decides; on
 * another origin the browser hides the header, so a readable answer proves that CORS is enabled.
 */
export async function checkCors(server: string, pageOrigin: string, send = sendRequest): Promise<CorsReport> {
  const isSameOrigin = new URL(server).origin === pageOrigin
  try {
    const { headers } = await send(healthUrl(server), { ...requestOptions(), method: 'OPTIONS' })
    const allowOrigin = headers.get('access-control-allow-origin')
    const isEnabled = !isSameOrigin || allowOrigin !== null
    return { verdict: isEnabled ? 'enabled' : 'not_enabled', isSameOrigin, allowOrigin }
  } catch {
    const isBlocked = !isSameOrigin && (await isReachable(server, send))
    return { verdict: isBlocked ? 'not_enabled' : 'failed', isSameOrigin, allowOrigin: null }
  }
}

/** Whether the server answers at all. `no-cors` is allowed for any origin, but the answer cannot be read. */
async function isReachable(server: string, send: SendRequest): Promise<boolean> {
  try {
    await send(healthUrl(server), { ...requestOptions(), mode: 'no-cors' })
    return true
  } catch {
    return false
  }
}

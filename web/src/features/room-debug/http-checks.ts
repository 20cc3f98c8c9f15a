import { limits } from '@earshot/core/limits'

/** What can be asked of a server without a socket (2.38b). Latencies in ms; no check rejects. */

export type Ask = (url: string, init: RequestInit) => Promise<Response>

const askServer: Ask = (url, init) => fetch(url, init)
const healthUrl = (server: string): string => new URL('/health', server).href
const giveUp = (): RequestInit => ({
  cache: 'no-store',
  credentials: 'omit',
  signal: AbortSignal.timeout(limits.connectTimeoutMs),
})

export interface HealthReport {
  status: number
  latencyMs: number
  /** What the server said of itself, or null where that was no JSON. */
  body: unknown
}

/** Null where the server cannot be reached. */
export async function checkHealth(server: string, ask = askServer): Promise<HealthReport | null> {
  const startedAtMs = performance.now()
  try {
    const answer = await ask(healthUrl(server), giveUp())
    const latencyMs = performance.now() - startedAtMs
    return { status: answer.status, latencyMs, body: await answer.json().catch(() => null) }
  } catch {
    return null
  }
}

export interface CorsReport {
  verdict: 'enabled' | 'not_enabled' | 'failed'
  isSameOrigin: boolean
  /** The header that answers the question; null where there is none, or where the browser hides it. */
  allowOrigin: string | null
}

/**
 * Whether pages of other origins may read the server's health. Of its own server a page sees the header and nothing
 * else; of another one it sees whether the browser lets it read the answer, and not the header.
 */
export async function checkCors(server: string, pageOrigin: string, ask = askServer): Promise<CorsReport> {
  const isSameOrigin = new URL(server).origin === pageOrigin
  try {
    const { headers } = await ask(healthUrl(server), { ...giveUp(), method: 'OPTIONS' })
    const allowOrigin = headers.get('access-control-allow-origin')
    const isEnabled = !isSameOrigin || allowOrigin !== null
    return { verdict: isEnabled ? 'enabled' : 'not_enabled', isSameOrigin, allowOrigin }
  } catch {
    const isKeptBack = !isSameOrigin && (await isThere(server, ask))
    return { verdict: isKeptBack ? 'not_enabled' : 'failed', isSameOrigin, allowOrigin: null }
  }
}

/** Whether anything answers, without reading it: a page may ask that of any origin. */
async function isThere(server: string, ask: Ask): Promise<boolean> {
  try {
    await ask(healthUrl(server), { ...giveUp(), mode: 'no-cors' })
    return true
  } catch {
    return false
  }
}

import type { HealthFacts, PageFacts } from '@earshot/core/diagnosis/facts'
import { AppError } from '@earshot/core/protocol/errors'
import { callApi } from '../../../api/call-api.ts'
import type { HealthReport } from '../http-checks.ts'

/** What a server said of its health; null where it said nothing. */
export function toHealthFacts(report: HealthReport | null): HealthFacts {
  if (!report) return { state: 'unreachable', latencyMs: null, version: null }
  const { status, latencyMs, body } = report
  return { state: status === 200 ? 'healthy' : 'unhealthy', latencyMs, version: readVersion(body) }
}

function readVersion(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null || !('version' in answer)) return null
  return typeof answer.version === 'string' ? answer.version : null
}

/** Whether somebody is signed in by the server's word of now, whatever the page believes. Rejects without an answer. */
export async function checkSession(signal: AbortSignal): Promise<PageFacts['session']> {
  try {
    await callApi('GET /api/profile', {}, signal)
    return 'signed_in'
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthenticated') return 'signed_out'
    throw error
  }
}

/** Whether the server still serves the page that is open here: its script has another name in every version. */
export async function checkPage(signal: AbortSignal): Promise<boolean | null> {
  const response = await fetch(window.location.origin, { cache: 'no-store', signal })
  const served = new DOMParser().parseFromString(await response.text(), 'text/html')
  const [ownScript, servedScript] = [findScript(document), findScript(served)]
  return ownScript === null || servedScript === null ? null : ownScript === servedScript
}

const findScript = (page: Document): string | null =>
  page.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null

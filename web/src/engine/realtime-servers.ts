import { callApi } from '../api/call-api.ts'
import { readPageData } from '../api/page-data.ts'

/** The page's own origin, which is the usual answer, is worth no longer wait. */
const configTimeoutMs = 3_000

/** Lists the realtime servers to try, best first: the page's own origin where none are configured. */
export async function listServers(signal: AbortSignal): Promise<readonly string[]> {
  const own = [window.location.origin]
  try {
    const { socketServers } =
      readPageData()?.config ?? (await callApi('GET /api/config', {}, { signal, timeoutMs: configTimeoutMs }))
    return socketServers.length > 0 ? socketServers : own
  } catch {
    return own
  }
}

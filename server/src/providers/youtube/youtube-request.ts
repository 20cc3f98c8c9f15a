import { parseJson } from '../../parse-json.ts'
import { ProviderUnreachable, fetchBounded } from '../bounded-fetch.ts'
import { type YoutubeAnswer, YoutubeError } from './youtube-error.ts'

const bounds = { timeoutMs: 8_000, maxBytes: 4 * 1024 * 1024 }

/** Sends a request to YouTube. @throws YoutubeError without an answer */
export async function requestYoutube(url: URL): Promise<YoutubeAnswer> {
  try {
    const headers = { accept: 'application/json' }
    const { status, text } = await fetchBounded(url.href, { headers }, bounds)
    return { status, json: parseJson(text) }
  } catch (error) {
    if (!(error instanceof ProviderUnreachable)) throw error
    throw new YoutubeError('failed', null, `YouTube could not be reached: ${error.message}`)
  }
}

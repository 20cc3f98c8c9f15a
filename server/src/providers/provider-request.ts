/** One request to a provider: bounded in time and size, and never redirected to another host. */

const timeoutMs = 10_000
/** Far above any answer that is used. */
const maxBytes = 4 * 1024 * 1024

export interface ProviderAnswer {
  status: number
  headers: Headers
  /** The parsed body; null unless it is JSON. */
  json: unknown
}

/** The provider did not answer in time or not in full. Its message contains no part of the request. */
export class NoAnswerError extends Error {
  constructor(cause: unknown) {
    super(`The provider did not answer (${nameOf(cause)})`)
    this.name = 'NoAnswerError'
  }
}

/** Sends a request. Resolves also for error statuses. @throws NoAnswerError */
export async function requestJson(url: URL, init: RequestInit = {}): Promise<ProviderAnswer> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { ...init, redirect: 'error', signal })
    const { status, headers } = response
    return { status, headers, json: parseJson(await readText(response)) }
  } catch (error) {
    throw new NoAnswerError(error)
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new RangeError('The answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Names an error without its message, which may repeat the address. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name
}

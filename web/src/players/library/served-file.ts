const timeoutMs = 5_000

const readHead = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(timeoutMs), ...init })

/** Whether the server sends a file. */
export async function isFileServed(url: string): Promise<boolean> {
  try {
    const { ok } = await readHead(url)
    return ok
  } catch {
    return false
  }
}

/** Returns the tag of a file's version; null where the server does not send the file. Rejects without an answer. */
export async function readServedTag(url: string): Promise<string | null> {
  const { ok, headers } = await readHead(url, { cache: 'no-store' })
  return ok ? headers.get('etag') : null
}

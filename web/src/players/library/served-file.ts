const timeoutMs = 5_000

/** Whether the server sends a file. */
export async function isFileServed(url: string): Promise<boolean> {
  try {
    const { ok } = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(timeoutMs) })
    return ok
  } catch {
    return false
  }
}

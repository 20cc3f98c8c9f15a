import type { IncomingHttpHeaders } from 'node:http'

/** Node's headers as the web's standard has them, which is what sessions are resolved from. */
export function toHeaders(raw: IncomingHttpHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined) headers.append(name, each)
    }
  }
  return headers
}

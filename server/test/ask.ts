import { z } from 'zod'

/** A response with its body read. */
export interface Answer {
  status: number
  headers: Headers
  /** The parsed body; null unless it is JSON. */
  json: unknown
  text: string
}

export interface Question {
  method?: string
  headers?: Record<string, string>
  /** Sent as JSON; text and bytes are sent as they are. */
  body?: unknown
}

/** Sends one request as given, adding only the content type of a body. Does not follow redirects. */
export async function ask(
  url: string,
  { method = 'GET', headers = {}, body }: Question = {},
): Promise<Answer> {
  const answer = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : null,
  }
}

const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array

const errorBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) })

/** Returns the error code of a failed call. */
export function codeOf({ json }: Answer): string {
  return errorBody.parse(json).error.code
}

/** Returns the Cookie header that a browser would send after this response. */
export function cookiesOf({ headers }: Answer): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

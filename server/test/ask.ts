import { z } from 'zod'

/** An answer with all that a test may look at. */
export interface Answer {
  status: number
  headers: Headers
  /** What the body says, where it is JSON; null otherwise. */
  json: unknown
  text: string
}

export interface Question {
  method?: string
  headers?: Record<string, string>
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown
}

/** Sends one request as it is given: nothing is added but the type of a body. Redirects are not followed. */
export async function ask(
  url: string,
  { method = 'GET', headers = {}, body }: Question = {},
): Promise<Answer> {
  const answer = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
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

const errorBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) })

/** The code of a failed call. */
export function codeOf({ json }: Answer): string {
  return errorBody.parse(json).error.code
}

/** What a browser would send back of the cookies that an answer sets. */
export function cookiesOf({ headers }: Answer): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

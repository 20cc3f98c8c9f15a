import { AppError, httpStatus, toWireError } from '@earshot/core/protocol/errors'
import { makeConfig } from './samples.ts'
import type { Address, CallOutput } from '../api/call-api.ts'

/** A received call; path parameters are part of `path`. */
export interface Asked {
  path: string
  query: URLSearchParams
  headers: Headers
  body: unknown
}

type Answers = { [At in Address]?: (asked: Asked) => CallOutput<At> | Promise<CallOutput<At>> }
type AuthAnswer = (asked: Asked) => Response | Promise<Response>
type AuthAddress = `${'GET' | 'POST'} /api/auth/${string}`

let answers: Answers & Record<AuthAddress, AuthAnswer> = {}
const realFetch = globalThis.fetch

/**
 * Fakes the network between page and server: answers calls like the server, typed by the contract. A thrown AppError
 * becomes the server's error; a call without an answer is `not_found`.
 */
export function answerCalls(next: Answers): void {
  answers = { ...answers, ...next }
}

/** Like `answerCalls`, for the sign-in library's own calls. */
export function answerAuth(next: Record<AuthAddress, AuthAnswer>): void {
  answers = { ...answers, ...next }
}

export function forgetAnswers(): void {
  answers = {
    'GET /api/auth/get-session': () => Response.json(null),
    'GET /api/config': () => makeConfig({ socketServers: [window.location.origin] }),
  }
}

/** Replaces `fetch` for the page's own origin; other addresses are fetched. */
export async function fetchFromContract(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input, window.location.origin)
  if (url.origin !== window.location.origin) return realFetch(input, init)
  const method = init?.method ?? 'GET'
  const answer = findAnswer(method, url.pathname)
  if (!answer) return answerError(new AppError('not_found', `${method} ${url.pathname} has no answer`))
  const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : null
  try {
    const asked = { path: url.pathname, query: url.searchParams, headers: new Headers(init?.headers), body }
    const answered: unknown = await Promise.race([answer(asked), rejectOnAbort(init?.signal)])
    return answered instanceof Response ? answered : Response.json(answered)
  } catch (error) {
    if (error instanceof AppError) return answerError(error)
    throw error
  }
}

/** As `fetch` does; never settles without an abort. */
function rejectOnAbort(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

function findAnswer(method: string, path: string): ((asked: Asked) => unknown) | undefined {
  const found = Object.entries(answers).find(([address]) => {
    const [itsMethod, itsPath = ''] = address.split(' ')
    return itsMethod === method && new RegExp(`^${itsPath.replace(/:\w+/g, '[^/]+')}$`).test(path)
  })
  return found?.[1]
}

function answerError(error: AppError): Response {
  return Response.json({ error: toWireError(error) }, { status: httpStatus[error.code] })
}

import { AppError, errorCodes, httpStatus, toWireError, type ErrorCode } from '@earshot/core/protocol/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Auth } from '../../auth/auth.ts'
import { clientAddressHeader } from '../../auth/session.ts'
import { parseJson } from '../../parse-json.ts'
import { toHeaders } from '../request.ts'

/**
 * Forwards a parsed request to the sign-in library and sends its response. `onAnswer` gets its status before that,
 * and may throw.
 */
export async function forward(
  auth: Pick<Auth, 'handle'>,
  request: FastifyRequest,
  reply: FastifyReply,
  onAnswer: (status: number) => unknown = () => {},
): Promise<FastifyReply> {
  const { method, url, body } = request
  const headers = toHeaders(request.headers)
  headers.delete('content-length')
  headers.set(clientAddressHeader, request.ip)
  const hasBody = body !== undefined && body !== null && method !== 'GET' && method !== 'HEAD'
  if (hasBody) headers.set('content-type', 'application/json')

  const response = await auth.handle({
    method,
    path: url,
    headers,
    body: hasBody ? JSON.stringify(body) : null,
  })
  const text = await response.text()
  if (response.status === 404 && text === '') throw new AppError('not_found')
  if (!response.ok && couldNotStore(response.status, text)) throw new AppError('unavailable')
  await onAnswer(response.status)
  response.headers.forEach((value, name) => {
    if (name !== 'set-cookie') reply.header(name, value)
  })
  // `forEach` joins cookies into one line, which browsers cannot parse.
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
  if (response.status < 400) return reply.code(response.status).send(text)
  const failure = describeFailure(text, response.status)
  return reply.code(failure.status).send(failure.text)
}

/** The library's errors by their code, where the status does not tell enough. */
const codesOfLibrary: Readonly<Record<string, ErrorCode>> = {
  INVALID_PASSWORD: 'wrong_password',
  BANNED_USER: 'account_disabled',
  // Our own, thrown by the hooks of a new account.
  ...Object.fromEntries(errorCodes.map((code) => [code, code])),
}

const codesOfStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_input',
  401: 'unauthenticated',
  // Such as an account that is not confirmed yet.
  403: 'unauthenticated',
  404: 'not_found',
  422: 'invalid_input',
  429: 'rate_limited',
  500: 'internal',
}

/**
 * Whether the library failed at the database, which it hides or reports as if the input were wrong. Other errors it
 * throws.
 */
function couldNotStore(status: number, text: string): boolean {
  return status === 500 || /^FAILED_TO_(CREATE|UPDATE)_/.test(String(parseObject(text)?.['code']))
}

/** Adds `error`, as all calls answer it, to an error of the library: `{ code, message }`. */
function describeFailure(text: string, status: number): { text: string; status: number } {
  // Some refusals of the library have no body.
  const body = text === '' ? {} : parseObject(text)
  const known = codesOfLibrary[String(body?.['code'])]
  const code = known ?? codesOfStatus[status]
  if (!body || !code) return { text, status }
  const message = typeof body['message'] === 'string' ? body['message'] : undefined
  const { retryAfterMs } = body
  const details = typeof retryAfterMs === 'number' ? { retryAfterMs } : {}
  const error = toWireError(new AppError(code, message, details))
  return {
    text: JSON.stringify({ code, message: error.message, ...body, error }),
    status: known ? httpStatus[known] : status,
  }
}

function parseObject(text: string): Record<string, unknown> | null {
  const parsed = parseJson(text)
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : null
}

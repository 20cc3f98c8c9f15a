import { AppError } from '@earshot/core/protocol/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddressHeader } from '../../auth/auth-path.ts'
import { toHeaders } from '../request-headers.ts'

export interface AuthGate {
  /** Answers with the sign-in library. */
  handle: (request: Request) => Promise<Response>
  /** Where browsers reach the server. */
  publicUrl: () => string
}

/** Hands a request whose body is parsed to the sign-in library, and its answer back. */
export async function forwardToAuth(
  { handle, publicUrl }: AuthGate,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const headers = toHeaders(request.headers)
  headers.delete('content-length')
  headers.set(clientAddressHeader, request.ip)
  // The library takes a caller without an origin for a page that hides it. Our own rule has let this one in.
  if (!headers.has('origin')) headers.set('origin', publicUrl())
  const { body } = request
  const hasBody = body !== undefined && body !== null && request.method !== 'GET' && request.method !== 'HEAD'
  if (hasBody) headers.set('content-type', 'application/json')

  const answer = await handle(
    new Request(new URL(request.url, publicUrl()), {
      method: request.method,
      headers,
      ...(hasBody ? { body: JSON.stringify(body) } : {}),
    }),
  )
  const text = await answer.text()
  if (answer.status === 404 && text === '') throw new AppError('not_found')
  answer.headers.forEach((value, name) => {
    if (name !== 'set-cookie') reply.header(name, value)
  })
  // Joined into one line, as the other headers are, cookies would be lost.
  for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie)
  return reply.code(answer.status).send(text)
}

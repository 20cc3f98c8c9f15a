import { clientVersion } from '@earshot/core/protocol/wire-constants'
import {
  AppError,
  errorCodes,
  fromWireError,
  type ErrorCode,
  type WireError,
} from '@earshot/core/protocol/errors'
import type { HttpApi, HttpCall, HttpCallName } from '@earshot/core/protocol/http-api'
import type { z } from 'zod'

type AddressOf<Call extends HttpCall> = `${Call['method']} ${Call['path']}`

/**
 * Every call of the contract's table under its method and path. The table itself, with its schemas, is only a type
 * here, so that the home page need not load them.
 */
type Calls = { [Name in HttpCallName as AddressOf<HttpApi[Name]>]: HttpApi[Name] }
export type Address = keyof Calls

type Part<Call, Name extends 'params' | 'query' | 'body'> =
  Call extends Record<Name, infer Schema extends z.ZodType> ? Record<Name, z.input<Schema>> : object

/** The input of a call: its path parameters, query and body, as far as it has them. */
export type CallInput<At extends Address> = Part<Calls[At], 'params'> &
  Part<Calls[At], 'query'> &
  Part<Calls[At], 'body'>
export type CallOutput<At extends Address> = z.output<Calls[At]['response']>

interface LooseInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/**
 * Makes one call: `callApi('GET /api/rooms/:roomId', { params: { roomId } })`. Every failure is an AppError: the
 * server's own, or `unavailable` without an answer. An aborted call rejects with the abort's reason.
 */
export async function callApi<At extends Address>(
  address: At,
  input: CallInput<At>,
  signal?: AbortSignal,
): Promise<CallOutput<At>> {
  const [method = '', path = ''] = address.split(' ')
  const { params, query, body }: LooseInput = input
  const response = await request(fillPath(path, params) + toQueryString(query), {
    method,
    headers: {
      'x-client-version': clientVersion,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  })
  const answer: unknown = await response.json().catch(() => null)
  if (!response.ok) throw hasWireError(answer) ? fromWireError(answer.error) : new AppError('unavailable')
  if (typeof answer !== 'object' || answer === null) throw new AppError('unavailable')
  return answer as CallOutput<At>
}

async function request(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new AppError('unavailable')
  }
}

function hasWireError(answer: unknown): answer is { error: WireError } {
  if (typeof answer !== 'object' || answer === null || !('error' in answer)) return false
  const { error } = answer
  if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error)) return false
  return errorCodes.includes(error.code as ErrorCode) && typeof error.message === 'string'
}

function fillPath(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/:(\w+)/g, (_placeholder, name: string) => encodeURIComponent(String(params[name])))
}

function toQueryString(query: Record<string, unknown> = {}): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined)
  if (entries.length === 0) return ''
  return `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`
}

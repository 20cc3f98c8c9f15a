import { clientVersion } from '@earshot/core/protocol/wire-constants'
import {
  AppError,
  type ErrorCode,
  errorCodes,
  fromWireError,
  hasCode,
  type WireError,
} from '@earshot/core/protocol/errors'
import type { HttpApi, HttpCall, HttpCallName } from '@earshot/core/protocol/http-api'
import type { z } from 'zod'
import { refusedCalls } from './refused-session.ts'
import { callTimeoutMs, isTimeout, timedFetch } from './timed-fetch.ts'

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
type CallInput<At extends Address> = Part<Calls[At], 'params'> &
  Part<Calls[At], 'query'> &
  Part<Calls[At], 'body'>
export type CallOutput<At extends Address> = z.output<Calls[At]['response']>

interface LooseInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/** The server did not answer in time. */
export class CallTimeoutError extends AppError {
  constructor() {
    super('unavailable')
  }
}

interface CallOptions {
  signal?: AbortSignal
  timeoutMs?: number
}

/**
 * Makes one call: `callApi('GET /api/rooms/:roomId', { params: { roomId } })`. Every failure is an AppError: the
 * server's own, `unavailable` without an answer, or a CallTimeoutError. An aborted call rejects with the abort's reason.
 */
export async function callApi<At extends Address>(
  address: At,
  input: CallInput<At>,
  { signal, timeoutMs = callTimeoutMs }: CallOptions = {},
): Promise<CallOutput<At>> {
  const [method = '', path = ''] = address.split(' ')
  const { params, query, body }: LooseInput = input
  const init = {
    method,
    headers: {
      'x-client-version': clientVersion,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  }
  const answer = await request(fillPath(path, params) + toQueryString(query), init, timeoutMs)
  if (!answer.ok) throw toRefusal(answer.body)
  if (typeof answer.body !== 'object' || answer.body === null) throw new AppError('unavailable')
  return answer.body as CallOutput<At>
}

/**
 * Like `callApi`, and tries once more without an answer; `timeoutMs` is of each attempt. For calls that may arrive twice:
 * reads, deletions, and those that the server recognises by an id.
 */
export async function callApiRetrying<At extends Address>(
  address: At,
  input: CallInput<At>,
  options: CallOptions = {},
): Promise<CallOutput<At>> {
  try {
    return await callApi(address, input, options)
  } catch (error) {
    if (hasCode(error, 'unavailable')) return await callApi(address, input, options)
    throw error
  }
}

async function request(
  url: string,
  init: RequestInit,
  timeoutMs: number,
): Promise<{ ok: boolean; body: unknown }> {
  try {
    const response = await timedFetch(url, init, timeoutMs)
    return { ok: response.ok, body: parseJson(await response.text()) }
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw isTimeout(error) ? new CallTimeoutError() : new AppError('unavailable')
  }
}

function toRefusal(body: unknown): AppError {
  const error = toAppError(body)
  if (error.code === 'unauthenticated') refusedCalls.setState({}, true)
  return error
}

/** Reads the error of a failed call from its body, which may be anything. */
export function toAppError(body: unknown): AppError {
  const { error } = (body ?? {}) as { error?: Partial<WireError> | null }
  return isWireError(error) ? fromWireError(error) : new AppError('unavailable')
}

const isWireError = (error: Partial<WireError> | null | undefined): error is WireError =>
  errorCodes.includes(error?.code as ErrorCode) && typeof error?.message === 'string'

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function fillPath(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/:(\w+)/g, (_placeholder, name: string) => encodeURIComponent(String(params[name])))
}

function toQueryString(query: Record<string, unknown> = {}): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined)
  // It converts the values to texts itself.
  return entries.length > 0 ? `?${new URLSearchParams(entries as [string, string][])}` : ''
}

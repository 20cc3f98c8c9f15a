import { timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { AppError } from '@earshot/core/protocol/errors'
import type { FastifyInstance } from 'fastify'
import { isApiCall } from './request.ts'
import { toHeaders } from './request-headers.ts'

/** What pages of other origins send once the operator has set a key. */
export const clientKeyHeader = 'x-client-key'

export interface OriginOptions {
  /** The configured address of this server; null where it is whatever people type. */
  publicUrl: string | null
  socketServers: readonly string[]
  publicClientKey: string | null
}

/** Which pages may call this server. A caller without an origin is no page, and none of a browser's cookies come along. */
export interface OriginRule {
  /** @throws AppError where a page of this origin may not do what it asks for */
  check: (origin: string | null, headers: Headers, isReading: boolean) => void
  /** The key is in the headers, unless the page cannot set these and sends it in another way. */
  isAllowed: (origin: string | null, headers: Headers, key?: string) => boolean
  /** Whether a page may call at all, given the key: a browser asks that before it sends one. */
  mayAsk: (origin: string | null, headers: Headers) => boolean
  /** Whether pages of any origin may call, given the key. */
  readonly acceptsKey: boolean
}

export function createOriginRule({ publicUrl, socketServers, publicClientKey }: OriginOptions): OriginRule {
  const configured = new Set(
    [publicUrl, ...socketServers].flatMap((address) => (address === null ? [] : [new URL(address).origin])),
  )
  /** A page of our own: served here, or by a server of the configured list. */
  const isOwn = (origin: string, headers: Headers): boolean =>
    configured.has(origin) || (publicUrl === null && isSameAddress(origin, headers.get('host')))
  const isKey = (given: string | null): boolean =>
    publicClientKey !== null && isEqual(given ?? '', publicClientKey)
  const isAllowed = (origin: string | null, headers: Headers, key?: string): boolean =>
    origin === null || isOwn(origin, headers) || isKey(key ?? headers.get(clientKeyHeader))

  const check = (origin: string | null, headers: Headers, isReading: boolean): void => {
    if (origin === null) return checkSilent(headers, isReading)
    if (isAllowed(origin, headers)) return
    if (publicClientKey !== null) throw new AppError('client_key_required')
    if (!isReading) throw new AppError('origin_refused')
  }
  return {
    check,
    isAllowed,
    mayAsk: (origin, headers) => origin === null || publicClientKey !== null || isOwn(origin, headers),
    acceptsKey: publicClientKey !== null,
  }
}

/** Browsers say where a request comes from even where they say no origin; other programs say nothing of it. */
function checkSilent(headers: Headers, isReading: boolean): void {
  const site = headers.get('sec-fetch-site')
  const isForeign = site === 'cross-site' || site === 'same-site'
  if (isForeign && !isReading) throw new AppError('origin_refused')
}

/**
 * Whether a page came from the very address that it calls. Only addresses that nobody can point elsewhere count: a
 * name could be made to lead here by whoever owns it. Who serves under a name, or over https, sets PUBLIC_URL.
 */
function isSameAddress(origin: string, host: string | null): boolean {
  const url = URL.parse(origin)
  if (!url || url.protocol !== 'http:' || url.host !== host) return false
  const name = url.hostname.replace(/^\[|\]$/g, '')
  return name === 'localhost' || isIP(name) !== 0
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Refuses what pages of other origins may not do, before anything of the request is read. */
export function refuseForeignOrigins(server: FastifyInstance, rule: OriginRule): void {
  server.addHook('onRequest', async (request) => {
    if (!isApiCall(request) || request.method === 'OPTIONS') return
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    rule.check(request.headers.origin ?? null, toHeaders(request.headers), isReading)
  })
}

import { isIP } from 'node:net'
import cors, { type FastifyCorsOptions } from '@fastify/cors'
import { AppError } from '@earshot/core/protocol/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { isSameSecret } from '../crypto/tokens.ts'
import { type HeaderReader, headersOf, isApiCall, isMediaCall } from './request.ts'

/** The header in which pages of other origins send the operator's key. */
const clientKeyHeader = 'x-client-key'

interface OriginOptions {
  /** The configured addresses of this server; empty where any IP address of it is used. */
  publicUrls: readonly string[]
  socketServers: readonly string[]
  publicClientKey: string | null
  /** Gets one line for each refused origin, with the setting that would admit it. */
  logger?: Logger
}

/** Decides which pages may call this server. A request without an origin comes from no page and carries no cookies. */
export interface OriginRule {
  /** @throws AppError where a page of this origin may not make the request */
  check: (origin: string | null, headers: HeaderReader, isReading: boolean) => void
  /** The key is read from the headers, unless it is given: some pages cannot set headers. */
  isAllowed: (origin: string | null, headers: HeaderReader, key?: string) => boolean
  /** Whether a page may call at all, given the key: preflight requests do not carry it. */
  mayAsk: (origin: string | null, headers: HeaderReader) => boolean
  /** Whether pages of any origin may call, given the key. */
  readonly acceptsKey: boolean
}

export function createOriginRule(options: OriginOptions): OriginRule {
  const { publicUrls, socketServers, publicClientKey, logger } = options
  const logRefusal = createRefusalLog(logger)
  const configured = new Set([...publicUrls, ...socketServers].map((address) => new URL(address).origin))
  // The origin of any address that is none of the web, and of pages that hide theirs.
  configured.delete('null')
  /** A page served by this server or by one of the configured list. */
  const isOwn = (origin: string, headers: HeaderReader): boolean =>
    configured.has(origin) || (publicUrls.length === 0 && isSameAddress(origin, headers.get('host')))
  const isKey = (given: string | null): boolean =>
    publicClientKey !== null && isSameSecret(given ?? '', publicClientKey)
  const isAllowed = (origin: string | null, headers: HeaderReader, key?: string): boolean =>
    origin === null || isOwn(origin, headers) || isKey(key ?? headers.get(clientKeyHeader))

  const check = (origin: string | null, headers: HeaderReader, isReading: boolean): void => {
    if (origin === null) return checkFetchSite(headers, isReading)
    if (isAllowed(origin, headers)) return
    if (publicClientKey !== null) throw new AppError('client_key_required')
    logRefusal(origin)
    if (!isReading) throw new AppError('origin_refused')
  }
  return {
    check,
    isAllowed,
    mayAsk(origin, headers) {
      const isAdmitted = origin === null || publicClientKey !== null || isOwn(origin, headers)
      if (!isAdmitted) logRefusal(origin)
      return isAdmitted
    },
    acceptsKey: publicClientKey !== null,
  }
}

/** Enough for an operator's own names; a stranger who invents names must not fill the log. */
const loggedNames = 20

/** Returns a function that says whether a name is to be logged: each is once. */
export function createFirstTimes(): (name: string) => boolean {
  const logged = new Set<string>()
  return (name) => {
    if (logged.has(name) || logged.size >= loggedNames) return false
    logged.add(name)
    return true
  }
}

/** Logs each refused origin once. */
function createRefusalLog(logger: Logger | undefined): (origin: string) => void {
  const isFirst = createFirstTimes()
  return (origin) => {
    if (!isFirst(origin)) return
    const hint = 'If people open Earshot under this address, add it to PUBLIC_URL'
    logger?.warn({ origin: origin.slice(0, 200) }, `Refused a page of another origin. ${hint}`)
  }
}

/** Browsers send `Sec-Fetch-Site` even with requests that have no `Origin`; other programs send neither. */
function checkFetchSite(headers: HeaderReader, isReading: boolean): void {
  const site = headers.get('sec-fetch-site')
  const isForeign = site === 'cross-site' || site === 'same-site'
  if (isForeign && !isReading) throw new AppError('origin_refused')
}

/**
 * Whether a page was loaded from the address that it calls. Only IP addresses and localhost count: the owner of any
 * other name can point it here (DNS rebinding). A server reached under a name, or over https, needs PUBLIC_URL.
 */
function isSameAddress(origin: string, host: string | null): boolean {
  const url = URL.parse(origin)
  if (!url || url.protocol !== 'http:' || url.host !== host) return false
  const name = url.hostname.replace(/^\[|\]$/g, '')
  return name === 'localhost' || isIP(name) !== 0
}

/** Rejects API calls from pages of other origins, before the request is read any further. */
export function refuseForeignOrigins(server: FastifyInstance, rule: OriginRule): void {
  server.addHook('onRequest', async (request) => {
    if (!isApiCall(request) || request.method === 'OPTIONS') return
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    rule.check(request.headers.origin ?? null, headersOf(request), isReading)
  })
}

/** Paths without personal data, readable by every page: clients use them to find the nearest server. */
const openPaths = new Set(['/health', '/livez', '/readyz'])

const corsDefaults: FastifyCorsOptions = {
  methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
  allowedHeaders: ['content-type', 'range', clientKeyHeader, 'x-client-version'],
  exposedHeaders: ['accept-ranges', 'content-range', 'retry-after'],
  maxAge: 600,
  // The connection tester sends a bare OPTIONS and reads its headers.
  strictPreflight: false,
}

/** Sets the CORS headers: configured origins may read answers, and with a client key set, all that ask. */
export async function registerCors(server: FastifyInstance, rule: OriginRule): Promise<void> {
  await server.register(cors, {
    delegator: (request: FastifyRequest, done) => done(null, chooseCorsOptions(request, rule)),
  })
  if (!rule.acceptsKey) return
  // Image and audio elements of pages elsewhere send no preflight and no key.
  server.addHook('onRequest', async (request, reply) => {
    if (isMediaCall(request)) reply.header('cross-origin-resource-policy', 'cross-origin')
  })
}

function chooseCorsOptions(request: FastifyRequest, rule: OriginRule): FastifyCorsOptions {
  const origin = request.headers.origin
  if (openPaths.has(request.url.split('?')[0] ?? '')) {
    return { ...corsDefaults, methods: ['GET', 'HEAD', 'OPTIONS'], origin: '*' }
  }
  const isAdmitted = origin !== undefined && rule.mayAsk(origin, headersOf(request))
  return isAdmitted ? { ...corsDefaults, origin, credentials: true } : { ...corsDefaults, origin: false }
}

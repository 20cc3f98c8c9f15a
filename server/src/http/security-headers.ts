import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Replaces the security headers of the server for one route; see `securityHeaders`. */
    securityHeaders?: OutgoingHttpHeaders
  }
}

export interface SecurityOptions {
  publicUrls: readonly string[]
  socketServers: readonly string[]
}

/** The headers that a route may override. */
type RoutePolicy = Pick<HelmetOptions, 'contentSecurityPolicy' | 'frameguard'>

/** Sets the security headers of every answer that no route states differently. */
export function registerSecurityHeaders(server: FastifyInstance, headers: OutgoingHttpHeaders): void {
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(request.routeOptions.config.securityHeaders ?? headers)
  })
}

/**
 * Returns the content security policy and related headers, by their names in lower case: only own scripts run, and no page
 * may frame ours. They are the same for every answer. `route`: what one route states differently.
 */
export function securityHeaders(options: SecurityOptions, route: RoutePolicy = {}): OutgoingHttpHeaders {
  const isSecure = isAlwaysSecure(options)
  const setHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: pagePolicy(options, isSecure) },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    // Other names of the domain may belong to other owners.
    strictTransportSecurity: isSecure ? { maxAge: 15_552_000, includeSubDomains: false } : false,
    // Both would break the embedded players.
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    ...route,
  })
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  setHeaders(response.req, response, (error) => {
    if (error) throw error
  })
  return { ...response.getHeaders() }
}

function pagePolicy({ socketServers }: SecurityOptions, isSecure: boolean) {
  return {
    defaultSrc: ["'self'"],
    baseUri: ["'none'"],
    objectSrc: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    fontSrc: ["'self'"],
    imgSrc: ["'self'", 'data:', 'https:'],
    mediaSrc: ["'self'", 'blob:'],
    connectSrc: ["'self'", ...socketServers.flatMap(toConnectSources)],
    // Only our own documents, in which the players of the providers run (`player-frames.ts`).
    frameSrc: ["'self'"],
    workerSrc: ["'self'", 'blob:'],
    manifestSrc: ["'self'"],
    ...(isSecure ? { upgradeInsecureRequests: [] } : {}),
  }
}

/** Whether browsers reach the server by https only: then they are told to insist on it. */
export function isAlwaysSecure({ publicUrls }: Pick<SecurityOptions, 'publicUrls'>): boolean {
  return publicUrls.length > 0 && publicUrls.every((url) => url.startsWith('https:'))
}

/** Returns the HTTP origin, for the probe, and the WebSocket origin. Other schemes are skipped. */
function toConnectSources(address: string): string[] {
  const { protocol, origin } = new URL(address)
  if (protocol !== 'http:' && protocol !== 'https:') return []
  return [origin, origin.replace(/^http/, 'ws')]
}

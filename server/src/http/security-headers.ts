import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

export interface SecurityOptions {
  publicUrls: readonly string[]
  socketServers: readonly string[]
}

/** Sets the content security policy and related headers: only own scripts run, and no page may frame ours. */
export async function registerSecurityHeaders(
  server: FastifyInstance,
  options: SecurityOptions,
): Promise<void> {
  const isSecure = isAlwaysSecure(options)
  await server.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
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
        connectSrc: ["'self'", ...options.socketServers.flatMap(toConnectSources)],
        // Only our own documents, in which the players of the providers run (`player-frames.ts`).
        frameSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        manifestSrc: ["'self'"],
        ...(isSecure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    // Other names of the domain may belong to other owners.
    strictTransportSecurity: isSecure ? { maxAge: 15_552_000, includeSubDomains: false } : false,
    // Both would break the embedded players.
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  })
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

import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

/** Where the players of the providers live. */
const frameSources = ['https://www.youtube.com', 'https://www.youtube-nocookie.com', 'https://sdk.scdn.co']

export interface SecurityOptions {
  publicUrl: string | null
  socketServers: readonly string[]
}

/** What browsers are told about the page: nothing runs that does not come from here, and nobody frames it. */
export async function registerSecurityHeaders(
  server: FastifyInstance,
  options: SecurityOptions,
): Promise<void> {
  const isSecure = options.publicUrl?.startsWith('https:') ?? false
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
        frameSrc: frameSources,
        workerSrc: ["'self'", 'blob:'],
        manifestSrc: ["'self'"],
        ...(isSecure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: isSecure ? { maxAge: 15_552_000 } : false,
    // Embedded players need neither; both would break them.
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  })
}

/** Both schemes of an address: the probe speaks HTTP, the channel WebSocket. What is not HTTP is skipped. */
function toConnectSources(address: string): string[] {
  const { protocol, origin } = new URL(address)
  if (protocol !== 'http:' && protocol !== 'https:') return []
  return [origin, origin.replace(/^http/, 'ws')]
}

import type { FastifyRequest, FastifyInstance } from 'fastify'

/** Whether a request opens the page, as opposed to an API call or a request for one of its files. */
export function isPageRequest(request: FastifyRequest): boolean {
  const path = request.url.split('?')[0] ?? ''
  const isReading = request.method === 'GET' || request.method === 'HEAD'
  const isServed = /^\/(?:api|socket\.io|assets)(?:\/|$)/.test(path)
  return isReading && !isServed && (isNavigation(request) || !/\.[a-z0-9]+$/i.test(path))
}

function isNavigation({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/**
 * Redirects pages of `localhost` to 127.0.0.1 where Spotify is configured and no public URL is: Spotify returns users to
 * no other name of this machine, and cookies of one name are not sent to the other.
 */
export function redirectLocalhost(
  server: FastifyInstance,
  { publicUrl, spotify }: { publicUrl: string | null; spotify: { credentials: object | null } },
): void {
  if (publicUrl !== null || spotify.credentials === null) return
  server.addHook('onRequest', async (request, reply) => {
    const [name, port] = request.host.split(':')
    const isPageRoute = request.is404 || request.routeOptions.url === '/*' || request.routeOptions.url === '/'
    if (name !== 'localhost' || !isPageRoute || !isPageRequest(request) || !isNavigation(request)) return
    return reply.redirect(`http://127.0.0.1${port === undefined ? '' : `:${port}`}${request.url}`, 307)
  })
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { AppError } from '@earshot/core/protocol/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendError } from './errors.ts'

const yearS = 365 * 24 * 60 * 60
const notBuilt = 'The page is not built. `npm start` builds it, and so does `npm run build`.'

/**
 * Serves the built page: its files by name, and `index.html` under every other path, which the page's own router
 * resolves. Unknown paths under `/api` answer `not_found`.
 */
export async function registerPage(server: FastifyInstance, folder: string): Promise<void> {
  const isBuilt = existsSync(join(folder, 'index.html'))
  if (isBuilt) {
    await server.register(fastifyStatic, {
      root: folder,
      index: false,
      dotfiles: 'ignore',
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => reply.header('cache-control', cacheControlOf(path, folder)),
    })
    // Without this, `/` is forbidden to clients that accept no compression.
    server.get('/', (_request, reply) => sendPage(reply))
  }
  server.setNotFoundHandler(async (request, reply) => {
    if (!isPageRequest(request)) return sendError(new AppError('not_found'), request, reply)
    return isBuilt ? sendPage(reply) : reply.code(503).type('text/plain').send(notBuilt)
  })
}

function sendPage(reply: FastifyReply): FastifyReply {
  return reply.sendFile('index.html')
}

/** Files with a hash in their name never change; all others are revalidated on each use. */
function cacheControlOf(path: string, folder: string): string {
  return path.startsWith(join(folder, 'assets')) ? `public, max-age=${yearS}, immutable` : 'no-cache'
}

/** Whether a request opens the page, as opposed to an API call or a request for one of its files. */
function isPageRequest(request: FastifyRequest): boolean {
  const path = request.url.split('?')[0] ?? ''
  const isReading = request.method === 'GET' || request.method === 'HEAD'
  const isServed = /^\/(?:api|socket\.io|assets)(?:\/|$)/.test(path)
  return isReading && !isServed && (isNavigation(request) || !/\.[a-z0-9]+$/i.test(path))
}

function isNavigation({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/**
 * Redirects `localhost` to 127.0.0.1: the streaming provider accepts no other name of this machine, and cookies of one
 * name are not sent to the other.
 */
export function redirectLocalhost(server: FastifyInstance, publicUrl: string | null): void {
  if (publicUrl !== null && new URL(publicUrl).hostname === 'localhost') return
  server.addHook('onRequest', async (request, reply) => {
    const [name, port] = request.host.split(':')
    const isPageRoute = request.is404 || request.routeOptions.url === '/*' || request.routeOptions.url === '/'
    if (name !== 'localhost' || !isPageRoute || !isPageRequest(request) || !isNavigation(request)) return
    return reply.redirect(`http://127.0.0.1${port === undefined ? '' : `:${port}`}${request.url}`, 307)
  })
}

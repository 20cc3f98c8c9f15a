import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { AppError } from '@earshot/core/protocol/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendError } from './errors.ts'

const yearS = 365 * 24 * 60 * 60
const notBuilt = 'The page is not built. `npm start` builds it, and so does `npm run build`.'

/**
 * Serves the built page: its files by name, and the page itself under every other address, where its own routes take
 * over. What is missing under `/api` is an error of the API.
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
    // To a client that takes no compression the folder itself would be refused.
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

/** Files with a hash in their name never change; everything else is asked for again each time. */
function cacheControlOf(path: string, folder: string): string {
  return path.startsWith(join(folder, 'assets')) ? `public, max-age=${yearS}, immutable` : 'no-cache'
}

/** Somebody opens an address of the page: no call of the API, and no file that a page asks for. */
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
 * Sends people who typed `localhost` to 127.0.0.1: the streaming provider accepts no other name of this machine, and a
 * session at one of the two would be unknown at the other.
 */
export function redirectLocalhost(server: FastifyInstance, publicUrl: string | null): void {
  if (publicUrl !== null && new URL(publicUrl).hostname === 'localhost') return
  server.addHook('onRequest', async (request, reply) => {
    const [name, port] = request.host.split(':')
    const isOfPage = request.is404 || request.routeOptions.url === '/*' || request.routeOptions.url === '/'
    if (name !== 'localhost' || !isOfPage || !isPageRequest(request) || !isNavigation(request)) return
    return reply.redirect(`http://127.0.0.1${port === undefined ? '' : `:${port}`}${request.url}`, 307)
  })
}

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import fastifyStatic from '@fastify/static'
import { AppError } from '@earshot/core/protocol/errors'
import { pageDataId, type PageData, type PageUser } from '@earshot/core/protocol/page-data'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ResolveSession, SessionUser } from '../auth/session.ts'
import type { PageConfig } from './calls/config.ts'
import { sendError } from './errors.ts'
import { toHeaders } from './request.ts'

const yearS = 365 * 24 * 60 * 60
const notBuilt = 'The page is not built. `npm start` builds it, and so does `npm run build`.'

/** How long the page waits for its session. Without one in time the page asks for it itself. */
const sessionDeadlineMs = 150

export interface PageParts {
  /** The folder of the built page. */
  folder: string
  config: PageConfig
  resolveSession: ResolveSession
}

/**
 * Serves the built page: its files by name, and the page itself under every other path, which its own router resolves.
 * The page contains the server's settings and the session. Unknown paths under `/api` answer `not_found`.
 */
export async function registerPage(server: FastifyInstance, parts: PageParts): Promise<void> {
  const { folder } = parts
  const templates = await readTemplates(folder)
  if (templates) {
    await server.register(fastifyStatic, {
      root: folder,
      index: false,
      dotfiles: 'ignore',
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => reply.header('cache-control', cacheControlOf(path, folder)),
    })
    server.get('/', async (request, reply) => sendPage(parts, templates.page, request, reply))
  }
  server.setNotFoundHandler(async (request, reply) => {
    if (!isPageRequest(request)) return sendError(new AppError('not_found'), request, reply)
    if (!templates) return reply.code(503).type('text/plain').send(notBuilt)
    const template = request.url.startsWith('/room/') ? templates.room : templates.page
    return sendPage(parts, template, request, reply)
  })
}

/** A page's HTML before and after the place of its data. */
type Template = [before: string, after: string]

/** Reads the page, and the page that preloads the scripts of a room; null where it is not built. */
async function readTemplates(folder: string): Promise<{ page: Template; room: Template } | null> {
  const page = await readTemplate(join(folder, 'index.html'))
  return page && { page, room: (await readTemplate(join(folder, 'room.html'))) ?? page }
}

async function readTemplate(path: string): Promise<Template | null> {
  if (!existsSync(path)) return null
  const html = await readFile(path, 'utf8')
  const at = Math.max(0, html.indexOf('</head>'))
  return [html.slice(0, at), html.slice(at)]
}

/** Never cached: it holds the name of its user. */
async function sendPage(
  { config, resolveSession }: PageParts,
  [before, after]: Template,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const data: PageData = { config, ...(await resolveInTime(resolveSession, request)) }
  // An escaped `<` cannot end the element. The element holds data, which the content security policy does not concern.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  const element = `<script type="application/json" id="${pageDataId}">${json}</script>`
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(before + element + after)
}

/**
 * Resolves the user, if the request has cookies at all. A slow or failed database does not delay the page. A request with
 * an origin comes from the script of another page, which must not read the user.
 */
async function resolveInTime(
  resolveSession: ResolveSession,
  { headers, log }: FastifyRequest,
): Promise<Pick<PageData, 'user'>> {
  if (headers.origin !== undefined) return {}
  if (headers.cookie === undefined) return { user: null }
  const deadline = new AbortController()
  try {
    return await Promise.race([
      resolveSession(toHeaders(headers)).then((session) => ({ user: session && toPageUser(session.user) })),
      delay(sessionDeadlineMs, {}, { signal: deadline.signal }),
    ])
  } catch (error) {
    log.warn({ err: error }, 'Could not resolve the session of a page; the page will ask for it')
    return {}
  } finally {
    deadline.abort()
  }
}

const toPageUser = ({ id, name, email, avatarUrl, isAdmin }: SessionUser): PageUser => ({
  id,
  name,
  email,
  avatarUrl,
  ...(isAdmin ? { isAdmin } : {}),
})

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

import { join, sep } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import fastifyStatic from '@fastify/static'
import { AppError } from '@earshot/core/protocol/errors'
import {
  type Language,
  chosenLanguage,
  fileOf,
  languageCookie,
  languages,
} from '@earshot/core/protocol/languages'
import { roomIdSchema } from '@earshot/core/protocol/ids'
import { pageDataId, pageVersionHeader, type PageData, type PageUser } from '@earshot/core/protocol/page-data'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ResolveSession, SessionUser } from '../auth/session.ts'
import type { PageConfig } from './calls/config.ts'
import { sendError } from './errors.ts'
import { previewTags, withoutTitle } from './preview.ts'
import type { Rooms } from '../rooms/rooms.ts'
import { isPageRequest } from './page-request.ts'
import { type AddressOptions, createAddressTag } from './public-address.ts'
import { languageOf } from './request.ts'

const yearS = 365 * 24 * 60 * 60
const notBuilt = 'The page is not built. `npm start` builds it, and so does `npm run build`.'

/** How long the page waits for its session and its room. Without them in time the page asks for them itself. */
const deadlineMs = 150

interface PageParts extends AddressOptions {
  /** The folder of the built page. */
  folder: string
  config: PageConfig
  resolveSession: ResolveSession
  rooms: { doors: Pick<Rooms['doors'], 'find'> }
  /** Null where none is configured: then the address is the one of the request. */
  publicUrl: string | null
}

/**
 * Serves the built page: its files by name, and the page itself under every other path, which its own router resolves.
 * The page contains the server's settings and the session,
 * that of a room also what visitors see of the room, for them and for the preview of its link. Its language is that of the
 * request's cookie or browser. Unknown paths under `/api` answer `not_found`.
 */
export async function registerPage(server: FastifyInstance, parts: PageParts): Promise<void> {
  const { folder } = parts
  const built = await readBuiltPage(folder)
  const page = built && { ...built, addressTag: createAddressTag(parts) }
  if (page) {
    await server.register(fastifyStatic, {
      root: folder,
      // Its own routes read the folder with each request: 1.3 ms of processor time.
      serve: false,
      dotfiles: 'ignore',
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => reply.header('cache-control', cacheControlOf(path, folder)),
    })
    const names = await readdir(folder, { recursive: true })
    const files = new Set(names.map((name) => name.replaceAll(sep, '/')))
    server.get<{ Params: { '*': string } }>('/*', (request, reply) => {
      const name = request.params['*']
      return files.has(name) ? reply.sendFile(name) : reply.callNotFound()
    })
    stateVersion(server, page.version)
    server.get('/', async (request, reply) => sendPage(parts, page, request, reply))
  }
  server.setNotFoundHandler(async (request, reply) => {
    if (!isPageRequest(request)) return sendError(new AppError('not_found'), request, reply)
    if (!page) return reply.code(503).type('text/plain').send(notBuilt)
    const roomId = readRoomId(request)
    return roomId === null
      ? sendPage(parts, page, request, reply)
      : sendRoomPage(parts, page, roomId, { request, reply })
  })
}

/** Names the served page in all answers of the API, by which an open page learns of a newer one. */
function stateVersion(server: FastifyInstance, version: string): void {
  server.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/')) reply.header(pageVersionHeader, version)
  })
}

/** Never cached: it holds the name of its user. */
async function sendPage(
  { config, resolveSession }: PageParts,
  { templates, version, addressTag }: ServedPage,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const data: PageData = { config, version, ...(await resolveUser(resolveSession, request)) }
  const language = languageOf(request)
  const [before, after] = templates[language].page
  return send(reply, language, [before + addressTag(reply), after], data)
}

const preloadTags = (files: readonly string[] = [], priority = ''): string =>
  files.map((file) => `<link rel="modulepreload" crossorigin${priority} href="/${file}">`).join('')

/** Sends the page of a room with its door in it. */
async function sendRoomPage(
  parts: PageParts,
  { templates, version, addressTag }: ServedPage,
  roomId: string,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const [user, found] = await Promise.all([
    resolveUser(parts.resolveSession, request),
    findDoor(parts, roomId, request),
  ])
  const data: PageData = { config: parts.config, version, ...user, ...found }
  const language = languageOf(request)
  const [start, after] = templateOfRoom(templates[language], user)
  const before = start + addressTag(reply)
  // An unlisted room has no name here.
  if (!found.door?.name) return send(reply, language, [before, after], data)
  const pageUrl = new URL(
    `/room/${encodeURIComponent(roomId)}`,
    parts.publicUrl ?? `${request.protocol}://${request.host}`,
  )
  const tags = previewTags(found.door, pageUrl, language)
  return send(reply, language, [withoutTitle(before) + tags, after], data)
}

/** Visitors: door scripts first, those of the room at low priority. */
function templateOfRoom(
  { page: [before, after], room, preloads }: Templates[Language],
  { user }: Pick<PageData, 'user'>,
): Template {
  const door = preloads.get('door')
  if (user !== null || !door) return room
  const rest = preloads.get('room')?.filter((file) => !door.includes(file))
  return [before + preloadTags(door) + preloadTags(rest, ' fetchpriority="low"'), after]
}

/** The room in the path of a request, or null. */
function readRoomId({ url }: FastifyRequest): string | null {
  const segment = /^\/room\/([^/?#]+)\/?(?:\?|$)/.exec(url)?.[1]
  if (segment === undefined) return null
  try {
    return roomIdSchema.safeParse(decodeURIComponent(segment)).data ?? null
  } catch {
    return null
  }
}

/** Finds the door as visitors without a session see it, as previews are fetched without one. Empty for an unknown room. */
async function findDoor(
  { rooms }: PageParts,
  roomId: string,
  { log }: FastifyRequest,
): Promise<Pick<PageData, 'door'>> {
  const find = async (): Promise<Pick<PageData, 'door'>> => {
    try {
      return { door: await rooms.doors.find(roomId) }
    } catch (error) {
      if (error instanceof AppError) return {}
      throw error
    }
  }
  return inTime(find(), (error) => {
    log.warn({ err: error }, 'Could not read the room of a page; the page will ask for it')
  })
}

function send(
  reply: FastifyReply,
  language: Language,
  [before, after]: Template,
  data: PageData,
): FastifyReply {
  // An escaped `<` cannot end the element. The element holds data, which the content security policy does not concern.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  const element = `<script type="application/json" id="${pageDataId}">${json}</script>`
  const chosen = chosenLanguage(reply.request.headers.cookie)
  // Some browsers keep a cookie that a script has set for 7 days only.
  if (chosen) {
    reply.header('set-cookie', `${languageCookie}=${chosen}; Path=/; Max-Age=${yearS}; SameSite=Lax`)
  }
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-language', language)
    .header('vary', 'accept-language, cookie')
    .send(before + element + after)
}

/**
 * Resolves the user, if the request has cookies at all. A slow or failed database does not delay the page. A request with
 * an origin comes from the script of another page, which must not read the user.
 */
async function resolveUser(
  resolveSession: ResolveSession,
  { headers, log }: FastifyRequest,
): Promise<Pick<PageData, 'user'>> {
  if (headers.origin !== undefined) return {}
  if (headers.cookie === undefined) return { user: null }
  const user = resolveSession(headers.cookie).then((session) => ({
    user: session && toPageUser(session.user),
  }))
  return inTime(user, (error) => {
    log.warn({ err: error }, 'Could not resolve the session of a page; the page will ask for it')
  })
}

/** Resolves to a part of the page's data, or to an empty one if it fails or is not there in time. */
async function inTime<Part extends object>(
  part: Promise<Part>,
  onFailure: (error: unknown) => void,
): Promise<Partial<Part>> {
  const deadline = new AbortController()
  try {
    return await Promise.race([part, delay(deadlineMs, {}, { signal: deadline.signal })])
  } catch (error) {
    onFailure(error)
    return {}
  } finally {
    deadline.abort()
  }
}

const toPageUser = ({ id, name, email, avatarUrl, isGuest, isAdmin }: SessionUser): PageUser => ({
  id,
  name,
  email,
  avatarUrl,
  isGuest,
  ...(isAdmin ? { isAdmin } : {}),
})

/** Files with a hash in their name never change; all others are revalidated on each use. */
function cacheControlOf(path: string, folder: string): string {
  return path.startsWith(join(folder, 'assets')) ? `public, max-age=${yearS}, immutable` : 'no-cache'
}

/** A page's HTML before and after the place of its data. */
type Template = [before: string, after: string]

/** The scripts of a room besides those of all pages: `door` for visitors without a session, `room` for members. */
type Preloads = ReadonlyMap<string, readonly string[]>

/** In each language the page, the page that preloads the scripts of a room, and the scripts of its two faces. */
type Templates = Record<Language, { page: Template; room: Template; preloads: Preloads }>

interface BuiltPage {
  templates: Templates
  /** Differs between builds, and is the same for all languages of one. */
  version: string
}

interface ServedPage extends BuiltPage {
  /** Returns the script that a document under another address needs; empty for others. */
  addressTag: (reply: FastifyReply) => string
}

const versionLength = 12

/** Reads the built page; null where it is not built. A language that it lacks has the English page. */
async function readBuiltPage(folder: string): Promise<BuiltPage | null> {
  const page = await readTemplate(join(folder, 'index.html'))
  if (!page) return null
  const english = {
    page,
    room: (await readTemplate(join(folder, 'room.html'))) ?? page,
    preloads: await readPreloads(join(folder, 'preloads.json')),
  }
  const read = async (language: Language): Promise<[Language, Templates[Language]]> => {
    const translated = await readTemplate(join(folder, fileOf('index.html', language)))
    const room = await readTemplate(join(folder, fileOf('room.html', language)))
    const preloads = await readPreloads(join(folder, fileOf('preloads.json', language)))
    return [language, translated ? { page: translated, room: room ?? translated, preloads } : english]
  }
  const templates = Object.fromEntries(await Promise.all(languages.map(read))) as Templates
  const hash = createHash('sha256')
  for (const language of languages) hash.update(templates[language].page.join(''))
  return { templates, version: hash.digest('hex').slice(0, versionLength) }
}

async function readPreloads(path: string): Promise<Preloads> {
  if (!existsSync(path)) return new Map()
  return new Map(Object.entries(JSON.parse(await readFile(path, 'utf8')) as Record<string, string[]>))
}

async function readTemplate(path: string): Promise<Template | null> {
  if (!existsSync(path)) return null
  const html = await readFile(path, 'utf8')
  const at = Math.max(0, html.indexOf('</head>'))
  return [html.slice(0, at), html.slice(at)]
}

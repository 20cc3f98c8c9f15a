import { createHash, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Negotiator } from '@fastify/accept-negotiator'
import type { HttpApi, HttpCallName } from '@earshot/core/protocol/http-api'
import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { openWorker } from '../async/worker-calls.ts'
import { sessionCookieName } from '../auth/session-key.ts'
import type { DocsCalls, DocsPage, DocsPageOptions } from './docs-worker.ts'
import { errorBodySchema } from './http-call.ts'

const documentPath = '/api/openapi.json'
const pagePath = '/api/docs'
const scriptPath = `${pagePath}/js/scalar.js`
/** Loading the page takes about a second, and 60 MB. */
const workerOptions = { timeoutMs: 60_000, maxHeapMb: 256 }

/** The second part of the path of a call, which is its tag (`http-call`). */
type Resource = HttpApi[HttpCallName]['path'] extends infer Path
  ? Path extends `/api/${infer Name}/${string}`
    ? Name
    : Path extends `/api/${infer Name}`
      ? Name
      : never
  : never

/** Descriptions of the tags, in the order of the page. Calls that are no part of the contract state theirs themselves. */
const descriptions: Readonly<Record<Resource | 'auth' | 'pictures', string>> = {
  auth: 'Accounts and sessions',
  rooms: 'Rooms, their queues, members and messages',
  tracks: 'Search in one source; tracks, their audio and covers',
  library: "The server's own music",
  sources: 'Where tracks come from',
  links: 'Pasted links to tracks and playlists',
  playlists: 'The tracks of playlists',
  spotify: "The user's Spotify account",
  youtube: "The user's access to YouTube",
  profile: 'The own profile',
  pictures: 'Pictures of users',
  account: 'The end of an account',
  invites: 'Invites to the server',
  admin: 'The administration',
  config: 'About this server',
}

/**
 * Serves the OpenAPI document at `/api/openapi.json` and a readable page at `/api/docs`. The document lists every call
 * that is registered after this and has a tag. `isSecure`: browsers reach the server by https only.
 */
export async function registerDocs(
  server: FastifyInstance,
  { version, isSecure }: { version: string; isSecure: boolean },
): Promise<void> {
  await server.register(swagger, {
    hideUntagged: true,
    transform: describeCall,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Earshot',
        version,
        description:
          'Rooms in which people hear the same track at the same time. Sign in first: ' +
          '`POST /api/auth/sign-in/email` sets the session cookie, whose value is sent back as it came, still URL-encoded. ' +
          'Every failure is `{ error: { code, message } }`. ' +
          'Changes in a room are sent over the realtime channel at `/socket.io`.',
      },
      tags: Object.entries(descriptions).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: sessionCookieName(isSecure) },
        },
      },
    },
  })
  // Kept as text: writing it takes some 10 ms of the main thread.
  const getDocument = keepFirst(() => encode(JSON.stringify(server.swagger())))
  server.get(documentPath, { compress: false }, async (request, reply) =>
    sendEncoded(request, reply.type('application/json; charset=utf-8'), await getDocument()),
  )
  serveDocsPage(server)
  server.get(pagePath, async (_request, reply) => reply.redirect(`${pagePath}/`, 308))
}

const errorBody = z.toJSONSchema(errorBodySchema)

/** The calls of the sign-in library state no responses, since it serialises its own; its errors have our shape. */
const describeCall: typeof jsonSchemaTransform = (input) => {
  const described = jsonSchemaTransform(input)
  if (!described.schema || described.schema.response) return described
  const response = { 200: { description: 'Default Response' }, default: errorBody }
  return { ...described, schema: { ...described.schema, response } }
}

/** Serves the page, which a worker makes on the first request: its module takes a quarter of a second to load. */
function serveDocsPage(server: FastifyInstance): void {
  // The nonce admits the page's inline script. Its inline styles cannot carry one.
  const nonce = randomBytes(16).toString('base64')
  const contentSecurityPolicy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
  const getPage = keepFirst(async () => {
    const { html, script } = await makePage({ pagePath, scriptPath, documentPath, nonce })
    return { html, script: await encode(script) }
  })
  server.get(`${pagePath}/`, async (_request, reply) => {
    const { html } = await getPage()
    return reply
      .header('content-security-policy', contentSecurityPolicy)
      .type('text/html; charset=utf-8')
      .send(html)
  })
  server.get(scriptPath, { compress: false }, async (request, reply) => {
    const { script } = await getPage()
    return sendEncoded(request, reply.type('text/javascript; charset=utf-8'), script)
  })
}

/** Keeps what the first call makes. Where that fails, the next call tries again. */
function keepFirst<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let kept: Promise<Value> | null = null
  return async () => {
    kept ??= make()
    try {
      return await kept
    } catch (error) {
      kept = null
      throw error
    }
  }
}

type Encoding = 'br' | 'gzip' | 'identity'
interface EncodedBody {
  version: string
  bytes: Record<Encoding, Buffer>
}

const encodings = new Negotiator<Encoding>({ supportedValues: ['br', 'gzip', 'identity'] })

/** Compresses what all are sent, once: for each request, strangers would keep the processors busy (16.321). */
async function encode(body: string | Uint8Array): Promise<EncodedBody> {
  const identity = Buffer.from(body)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params }),
    promisify(gzip)(identity),
  ])
  // Of the smallest: this is the main thread, and the script has 4 MB.
  const version = createHash('sha256').update(br).digest('base64url')
  return { version, bytes: { br, gzip: zipped, identity } }
}

function sendEncoded(request: FastifyRequest, reply: FastifyReply, { version, bytes }: EncodedBody) {
  const encoding = encodings.negotiate(request.headers['accept-encoding'] ?? 'identity') ?? 'identity'
  if (encoding !== 'identity') void reply.header('content-encoding', encoding)
  const vary = [reply.getHeader('vary'), 'accept-encoding'].flat().filter(Boolean).join(', ')
  return reply.header('vary', vary).header('etag', `W/"${version}"`).send(bytes[encoding])
}

async function makePage(options: DocsPageOptions): Promise<DocsPage> {
  const worker = openWorker<DocsCalls>(new URL('./docs-worker.ts', import.meta.url), workerOptions)
  try {
    return await worker.call('makePage', options)
  } finally {
    await worker.close()
  }
}

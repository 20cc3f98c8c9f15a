import { randomBytes } from 'node:crypto'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
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
      tags: [
        { name: 'auth', description: 'Accounts and sessions' },
        { name: 'rooms', description: 'Rooms, their queues, members and messages' },
        { name: 'tracks', description: 'Search' },
        { name: 'library', description: "The server's own music" },
        { name: 'sources', description: 'Where tracks come from' },
        { name: 'profile', description: 'The own profile' },
        { name: 'config', description: 'About this server' },
      ],
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: sessionCookieName(isSecure) },
        },
      },
    },
  })
  let document: string | null = null
  server.get(documentPath, async (_request, reply) => {
    // Kept as text: writing it takes some 10 ms of the main thread.
    document ??= JSON.stringify(server.swagger())
    return reply.type('application/json; charset=utf-8').send(document)
  })
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
  let page: Promise<DocsPage> | null = null
  const getPage = async (): Promise<DocsPage> => {
    page ??= makePage({ pagePath, scriptPath, documentPath, nonce })
    try {
      return await page
    } catch (error) {
      page = null
      throw error
    }
  }
  server.get(`${pagePath}/`, async (_request, reply) => {
    const { html } = await getPage()
    return reply
      .header('content-security-policy', contentSecurityPolicy)
      .type('text/html; charset=utf-8')
      .send(html)
  })
  server.get(scriptPath, async (_request, reply) => {
    const { script, scriptVersion } = await getPage()
    return reply.header('etag', `"${scriptVersion}"`).type('text/javascript; charset=utf-8').send(script)
  })
}

async function makePage(options: DocsPageOptions): Promise<DocsPage> {
  const worker = openWorker<DocsCalls>(new URL('./docs-worker.ts', import.meta.url), workerOptions)
  try {
    return await worker.call('makePage', options)
  } finally {
    await worker.close()
  }
}

import { randomBytes } from 'node:crypto'
import swagger from '@fastify/swagger'
import fastify, { type FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { errorBodySchema } from './http-call.ts'

const documentPath = '/api/openapi.json'
const pagePath = '/api/docs'

/**
 * Serves the OpenAPI document at `/api/openapi.json` and a readable page at `/api/docs`. The document lists every call
 * that is registered after this and has a tag.
 */
export async function registerDocs(server: FastifyInstance, version: string): Promise<void> {
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
          '`POST /api/auth/sign-in/email` sets the session cookie. Every failure is `{ error: { code, message } }`. ' +
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
          session: { type: 'apiKey', in: 'cookie', name: 'earshot.session_token' },
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

/** Loads the page on its first request, as it is large and seldom read, in a Fastify instance of its own. */
function serveDocsPage(server: FastifyInstance): void {
  let loading: Promise<FastifyInstance> | null = null
  server.addHook('onClose', async () => (await loading)?.close())
  server.get(`${pagePath}/*`, async (request, reply) => {
    loading ??= createDocsPage()
    const page = await loading
    for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? '')
    reply.hijack()
    page.routing(request.raw, reply.raw)
  })
}

async function createDocsPage(): Promise<FastifyInstance> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const page = fastify()
  // The nonce admits the page's inline script. Its inline styles cannot carry one.
  const nonce = randomBytes(16).toString('base64')
  page.addHook('onSend', async (_request, reply) => {
    reply.headers({
      'content-security-policy': [
        "default-src 'none'",
        `script-src 'self' 'nonce-${nonce}'`,
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ].join('; '),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
    })
  })
  await page.register(reference, {
    routePrefix: pagePath,
    configuration: {
      url: documentPath,
      nonce,
      withDefaultFonts: false,
      telemetry: false,
      // These call or link to other hosts.
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
      pageTitle: 'Earshot API',
      favicon: '/icon.svg',
    },
  })
  await page.ready()
  return page
}

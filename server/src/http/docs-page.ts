import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import fastify from 'fastify'

export const docsPath = '/api/docs'

/**
 * The readable page of the API's description, out of files of this server alone. It is large and seldom read, so it is
 * loaded when somebody first asks for it, into a little server of its own.
 */
export function serveDocs(server: FastifyInstance, documentPath: string): void {
  let docs: Promise<FastifyInstance> | null = null
  server.addHook('onClose', async () => (await docs)?.close())
  server.get(`${docsPath}/*`, async (request, reply) => {
    docs ??= createDocs(documentPath)
    const page = await docs
    reply.hijack()
    page.routing(request.raw, reply.raw)
  })
}

async function createDocs(documentPath: string): Promise<FastifyInstance> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const docs = fastify()
  // The page starts itself with a script in its text, which the nonce admits; it styles itself in ways that take none.
  const nonce = randomBytes(16).toString('base64')
  docs.addHook('onSend', async (_request, reply) => {
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
  await docs.register(reference, {
    routePrefix: docsPath,
    configuration: {
      url: documentPath,
      nonce,
      withDefaultFonts: false,
      telemetry: false,
      // What would call other hosts, or lead there.
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
      pageTitle: 'Earshot API',
      favicon: '/icon.svg',
    },
  })
  await docs.ready()
  return docs
}

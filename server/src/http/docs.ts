import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { docsPath, serveDocs } from './docs-page.ts'

const documentPath = '/api/openapi.json'

/**
 * Describes every call that is registered after this at `/api/openapi.json`, with a readable page at `/api/docs`. Calls
 * without a tag stay out of it.
 */
export async function registerOpenApi(server: FastifyInstance, version: string): Promise<void> {
  await server.register(swagger, {
    hideUntagged: true,
    transform: jsonSchemaTransform,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Earshot',
        version,
        description:
          'Rooms in which people hear the same track at the same time. Sign in first: the answer of ' +
          '`POST /api/auth/sign-in/email` sets the session cookie. Every failure is `{ error: { code, message } }`. ' +
          'What happens in a room is told over the realtime channel at `/socket.io`.',
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
  server.get(documentPath, async () => server.swagger())
  serveDocs(server, documentPath)
  server.get(docsPath, async (_request, reply) => reply.redirect(`${docsPath}/`, 308))
}

import type { Source } from '@earshot/core/protocol/entities'
import { httpApi } from '@earshot/core/protocol/http-api'
import type { FastifyInstance } from 'fastify'
import type { TrackProvider } from '../../providers/provider.ts'
import { registerCall } from '../http-call.ts'

/** Which sources work here now, and what the others lack. */
export function registerSourceRoutes(
  server: FastifyInstance,
  { providers }: { providers: ReadonlyMap<Source, TrackProvider> },
): void {
  registerCall(server, httpApi.listSources, async () => ({
    sources: [...providers.values()].map((provider) => provider.status()),
  }))
}

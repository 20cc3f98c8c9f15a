import { limits } from '@earshot/core/limits'
import { httpApi } from '@earshot/core/protocol/http-api'
import type { FastifyInstance } from 'fastify'
import type { LibraryProvider } from '../../library/library-provider.ts'
import { registerCall } from '../http-call.ts'
import { toPageAnswer } from './track-page.ts'

/** The music library from beginning to end. */
export function registerLibraryRoutes(
  server: FastifyInstance,
  { library }: { library: LibraryProvider },
): void {
  registerCall(server, httpApi.browseLibrary, async ({ query: { offset } }) => {
    const { isScanning, ...found } = await library.browse({ offset, limit: limits.searchPageSize })
    return { ...toPageAnswer(found, { offset }), isScanning }
  })
}

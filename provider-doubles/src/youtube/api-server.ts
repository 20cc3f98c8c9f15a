import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { urlOf } from '../double-server.ts'
import type { Fault } from '../faults.ts'
import { ApiError, apiErrors } from './api-errors.ts'
import { answerDataApi, type DataApiState } from './data-api.ts'
import { answerOembed } from './oembed.ts'

export interface ApiServerState extends DataApiState {
  oembedMissingStatus: 400 | 404
}

export const apiPath = '/youtube/v3'
export const oembedPath = '/oembed'

const toFault = ({ status, body }: ApiError): Fault => ({ status, body })

/** Google's refusals, to be switched on for a path: `faults.add('/youtube/v3/search', apiFaults.searchQuotaExceeded)`. */
export const apiFaults = {
  serverError: toFault(apiErrors.backend()),
  quotaExceeded: toFault(apiErrors.quotaExceeded()),
  searchQuotaExceeded: toFault(apiErrors.searchQuotaExceeded(100)),
}

/** Adds the Data API and oEmbed, which answer `GET` only. */
export function addApiRoutes(app: FastifyInstance, state: ApiServerState): void {
  app.get(`${apiPath}/:method`, (request, reply) => {
    try {
      const { method } = request.params as { method: string }
      const body = answerDataApi(state, method, urlOf(request).searchParams, keyOf(request))
      return body ? reply.send(body) : sendText(reply, 404, 'Not Found')
    } catch (error) {
      if (error instanceof ApiError) return reply.code(error.status).send(error.body)
      throw error
    }
  })
  app.get(oembedPath, (request, reply) => {
    const { status, body } = answerOembed(
      state.catalogue,
      urlOf(request).searchParams,
      state.oembedMissingStatus,
    )
    return typeof body === 'string' ? sendText(reply, status, body) : reply.code(status).send(body)
  })
}

function keyOf(request: FastifyRequest): string | null {
  const header = request.headers['x-goog-api-key']
  return urlOf(request).searchParams.get('key') ?? (typeof header === 'string' ? header : null)
}

const sendText = (reply: FastifyReply, status: number, text: string) =>
  reply.code(status).type('text/plain; charset=UTF-8').send(text)

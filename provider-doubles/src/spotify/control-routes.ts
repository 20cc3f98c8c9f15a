import type { FastifyInstance } from 'fastify'
import { bodyOf } from '../double-server.ts'
import type { SpotifyControl } from './spotify-control.ts'

/**
 * Adds `POST /control/NAME`, the control for other processes: a function of the control gets the body, a JSON array, as
 * its arguments; an object of settings takes over the fields of the body.
 */
export function addControlRoutes(app: FastifyInstance, control: () => SpotifyControl): void {
  app.post<{ Params: { name: string } }>('/control/:name', async (request, reply) => {
    const members = new Map<string, unknown>(Object.entries(control()))
    const member = members.get(request.params.name)
    const given: unknown = JSON.parse(bodyOf(request) || '[]')
    if (typeof member === 'function') {
      const result: unknown = await Reflect.apply(member, undefined, Array.isArray(given) ? given : [given])
      return reply.send({ result: result ?? null })
    }
    if (typeof member !== 'object' || member === null) return reply.callNotFound()
    return reply.send({ result: Object.assign(member, given) })
  })
}

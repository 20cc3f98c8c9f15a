import { httpApi } from '@earshot/core/protocol/http-api'
import type { FastifyInstance } from 'fastify'
import type { Env } from '../../env.ts'
import { registerCall } from '../http-call.ts'

/** What a page needs to know of this server. */
export function registerConfigRoutes(
  server: FastifyInstance,
  { env, version }: { env: Env; version: string },
): void {
  registerCall(server, httpApi.getConfig, async () => ({
    socketServers: env.socketServers,
    version,
    googleSignIn: env.google !== null,
    mailConfirmation: env.smtpUrl !== null,
  }))
}

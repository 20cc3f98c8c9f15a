import { httpApi } from '@earshot/core/protocol/http-api'
import type { FastifyInstance } from 'fastify'
import type { Env } from '../../env.ts'
import { registerCall } from '../http-call.ts'

export interface ConfigParts {
  env: Env
  version: string
}

/** Serves the settings of this server that the page depends on. */
export function registerConfigCalls(server: FastifyInstance, { env, version }: ConfigParts): void {
  registerCall(server, httpApi.getConfig, async () => ({
    socketServers: env.socketServers,
    version,
    googleSignIn: env.google !== null,
    mailConfirmation: env.smtpUrl !== null,
  }))
}

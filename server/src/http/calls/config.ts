import { type HttpApi, httpApi } from '@earshot/core/protocol/http-api'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Env } from '../../env/env.ts'
import { registerCall } from '../http-call.ts'

interface ConfigParts {
  env: Env
  version: string
}

export type PageConfig = z.output<HttpApi['getConfig']['response']>

/** Returns the settings of this server that the page depends on. */
export function readPageConfig({ env, version }: ConfigParts): PageConfig {
  return {
    socketServers: [...env.socketServers],
    publicUrl: env.publicUrl,
    version,
    googleSignIn: env.google !== null,
    mailConfirmation: env.smtpUrl !== null,
    signUp: env.signUp,
    spotifyClientId: env.spotify.credentials?.clientId ?? null,
    spotifyRedirectUri: env.spotify.redirectUri,
  }
}

export function registerConfigCalls(server: FastifyInstance, config: PageConfig): void {
  registerCall(server, httpApi.getConfig, async () => config)
}

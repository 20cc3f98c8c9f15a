import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import type { Env } from '../env.ts'

/** Returns the address of the client that sent a request. Proxies count as the setting TRUST_PROXY says. */
export type AddressOf = (request: IncomingMessage) => string

/** Converts the setting: a number trusts as many proxies in a row. */
export function toTrust(
  proxies: Env['trustProxy'],
): string[] | ((address: string, hop: number) => boolean) | null {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies
}

/** For requests that do not pass Fastify, which does the same with the same library. */
export function createAddressOf({ trustProxy }: Pick<Env, 'trustProxy'>): AddressOf {
  const trust = toTrust(trustProxy)
  return (request) => (trust === null ? (request.socket.remoteAddress ?? '') : proxyAddr(request, trust))
}

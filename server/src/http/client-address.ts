import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import type { Env } from '../env/env.ts'

/** Returns the address of the client that sent a request. Proxies count as the setting TRUST_PROXY says. */
export type AddressOf = (request: IncomingMessage) => string

/** Converts the setting: a number trusts as many proxies in a row. */
export function toTrust(
  proxies: Env['trustProxy'],
): string[] | ((address: string, hop: number) => boolean) | null {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies
}

/** Returns a function that tells whether an address is that of a proxy that `TRUST_PROXY` names. */
export function createIsProxy({ trustProxy }: Pick<Env, 'trustProxy'>): (address: string) => boolean {
  const trust = toTrust(trustProxy)
  if (trust === null) return () => false
  const isTrusted = typeof trust === 'function' ? trust : proxyAddr.compile(trust)
  return (address) => isTrusted(address, 0)
}

/** For requests that do not pass Fastify, which does the same with the same library. */
export function createAddressOf({ trustProxy }: Pick<Env, 'trustProxy'>): AddressOf {
  const trust = toTrust(trustProxy)
  return (request) => {
    if (trust === null) return request.socket.remoteAddress ?? ''
    cleanForwardedFor(request)
    return proxyAddr(request, trust)
  }
}

/**
 * Removes ports from the addresses in `X-Forwarded-For`, which some proxies write: with them each connection of a
 * client would count as another one. What is no address, and all that stands before it, is left out: the last proxy
 * then counts as the client.
 */
export function cleanForwardedFor({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const header = headers['x-forwarded-for']
  if (header === undefined) return
  const entries = String(header).split(',').map(withoutPort)
  const lastFlaw = entries.findLastIndex((entry) => isIP(entry) === 0)
  const addresses = entries.slice(lastFlaw + 1)
  if (addresses.length > 0) headers['x-forwarded-for'] = addresses.join(', ')
  else delete headers['x-forwarded-for']
}

/** `192.0.2.1:80` and `[2001:db8::1]:80`, with or without the port. */
function withoutPort(entry: string): string {
  const [, v6, v4] = /^\s*(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)\s*$/.exec(entry) ?? []
  return v6 ?? v4 ?? entry.trim()
}

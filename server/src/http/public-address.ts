import type { FastifyReply } from 'fastify'
import { createFirstTimes } from './origin.ts'

export interface AddressOptions {
  publicUrls: readonly string[]
  socketServers: readonly string[]
}

/**
 * Returns what the document of an answer needs where its request has a Host that is not configured: a script that leads to
 * the first address of `PUBLIC_URL`. Only the browser knows which address it opened, as a proxy may pass another Host
 * (decision 139).
 */
export function createAddressTag({ publicUrls, socketServers }: AddressOptions) {
  const addresses = [...publicUrls, ...socketServers].map((address) => new URL(address))
  const hosts = new Set(addresses.map(({ host }) => host))
  const origins = addresses.map(({ origin }) => origin).join(' ')
  const isFirst = createFirstTimes()
  return (reply: FastifyReply): string => {
    const { host, log } = reply.request
    if (publicUrls.length === 0 || hosts.has(host)) return ''
    const hint =
      'Browsers under this address are sent to the first one of PUBLIC_URL. Expected behind a proxy that sets another Host'
    if (isFirst(host))
      log.warn({ host: host.slice(0, 200) }, `A page was asked for under another address. ${hint}`)
    // The script, and the page where it stays, are under this address, which may have no TLS.
    const policy = String(reply.getHeader('content-security-policy'))
    reply.header('content-security-policy', policy.replace(/;upgrade-insecure-requests/, ''))
    return `<script src="/public-address.js" data-addresses="${origins}"></script>`
  }
}

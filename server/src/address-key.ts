import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Returns the key under which an address is counted: of IPv6 its /64 network, which one subscriber holds. */
export function addressKey(address: string): string {
  // Nearly all are, and parsing takes much longer.
  if (isIPv4(address) || !ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, networkParts), 0, 0, 0, 0]).toString()}/64`
}

const networkParts = 4

/**
 * Returns the key under which the connections of an address are counted; null for those of this machine: a proxy here that
 * `TRUST_PROXY` does not name hides all listeners behind one address.
 */
export function connectionKey(address: string): string | null {
  const isOwn = ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
  return isOwn ? null : addressKey(address)
}

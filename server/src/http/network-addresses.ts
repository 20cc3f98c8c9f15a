import { networkInterfaces } from 'node:os'

/** Whether a host stands for all addresses of the machine. */
export const listensOnAll = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** Bridges to the containers and virtual machines of this machine, which no other device reaches. */
const bridgeNames = /^(docker|br-|veth|virbr)/

/** Lists the addresses at which other devices of the network reach a server that listens on all of the machine's. */
export function listNetworkAddresses(port: string, interfaces = networkInterfaces()): string[] {
  return Object.entries(interfaces)
    .filter(([name]) => !bridgeNames.test(name))
    .flatMap(([, addresses]) => addresses ?? [])
    .filter(
      ({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'),
    )
    .map(({ address }) => `http://${address}:${port}`)
}

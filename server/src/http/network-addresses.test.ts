import { expect, it } from 'vitest'
import { listNetworkAddresses } from './network-addresses.ts'

it('16.177 the addresses in the network are those of its interfaces, not of the machine itself', () => {
  const common = { netmask: '255.255.255.0', mac: '02:00:00:00:00:01', cidr: null }
  const lo = [{ ...common, address: '127.0.0.1', family: 'IPv4' as const, internal: true }]
  const wlan = [
    { ...common, address: '192.168.1.5', family: 'IPv4' as const, internal: false },
    { ...common, address: 'fe80::1', family: 'IPv6' as const, internal: false, scopeid: 4 },
  ]
  const others = [
    ['docker0', '172.17.0.1'],
    ['br-1a2b', '172.18.0.1'],
    ['eth0', '169.254.3.4'],
  ].map(([name, address]) => [name, [{ ...common, address, family: 'IPv4', internal: false }]])
  const interfaces = { lo, wlan, ...Object.fromEntries(others), none: undefined }
  expect(listNetworkAddresses('3000', interfaces)).toEqual(['http://192.168.1.5:3000'])
})

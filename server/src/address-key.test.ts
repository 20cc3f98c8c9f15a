import { expect, it } from 'vitest'
import { addressKey } from './address-key.ts'

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8::1', '2001:db8::/64'],
  ['2001:DB8:0:0:ffff::1', '2001:db8::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
  ['not an address', 'not an address'],
])('counts %s as %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})

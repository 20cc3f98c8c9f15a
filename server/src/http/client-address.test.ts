import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { startApp } from '../../test/apps.ts'
import { ask } from '../../test/ask.ts'
import { freezeWindows } from '../../test/rate-windows.ts'
import { createAddressOf, createIsProxy } from './client-address.ts'

const requestWith = (forwardedFor: string): IncomingMessage =>
  ({ headers: { 'x-forwarded-for': forwardedFor }, socket: { remoteAddress: '127.0.0.1' } }) as never

const addressOf = createAddressOf({ trustProxy: ['loopback'] })

it.each([
  ['192.0.2.1:51234', '192.0.2.1'],
  ['[2001:db8::1]:51234', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['203.0.113.9, 192.0.2.1', '192.0.2.1'],
  ['unknown', '127.0.0.1'],
  ['', '127.0.0.1'],
  ['192.0.2.1:x', '127.0.0.1'],
  ['192.0.2.1, nonsense', '127.0.0.1'],
  ['x'.repeat(5_000), '127.0.0.1'],
])('15.72 behind a trusted proxy the client of "%s" is %s', (header, address) => {
  expect(addressOf(requestWith(header))).toBe(address)
})

it.each([
  [null, '192.0.2.1', false],
  [1, '192.0.2.1', true],
  [0, '192.0.2.1', false],
  [['192.0.2.0/24'], '192.0.2.1', true],
  [['192.0.2.0/24'], '198.51.100.1', false],
  [['192.0.2.0/24'], '', false],
])('15.103 with TRUST_PROXY=%s, that %s is a proxy is %s', (trustProxy, address, isProxy) => {
  expect(createIsProxy({ trustProxy })(address)).toBe(isProxy)
})

it('15.72 a client with another port at each connection has one limit', async () => {
  const app = await startApp({ variables: { TRUST_PROXY: '1', PEOPLE_PER_ADDRESS: '3' } })
  freezeWindows()
  const answers = await Promise.all(
    Array.from({ length: 251 }, (_, index) =>
      ask(`${app.address}/api/config`, { headers: { 'x-forwarded-for': `198.51.100.1:${50_000 + index}` } }),
    ),
  )
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(1)
})

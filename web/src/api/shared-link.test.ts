import { expect, it } from 'vitest'
import { isLoopback, toSharedLink } from './shared-link.ts'

it.each([
  'http://127.0.0.1:3000/login#invite=x',
  'http://localhost',
  'https://[::1]:3000/',
  'http://127.1.2.3/',
])('16.177 leads each computer to itself: %s', (link) => expect(isLoopback(link)).toBe(true))

it.each(['http://192.168.1.5:3000/', 'http://localhost.example.org', 'http://nas.local/?127.0.0.1', ''])(
  '16.177 leads to one server: %s',
  (link) => expect(isLoopback(link)).toBe(false),
)

it('16.177 a loopback link of the server gets the address of the page, any other stays', () => {
  const { origin } = window.location
  expect(toSharedLink('http://127.0.0.1:3000/login#invite=x')).toBe(`${origin}/login#invite=x`)
  expect(toSharedLink('http://nas.local:3000/login#invite=x')).toBe('http://nas.local:3000/login#invite=x')
})

import { expect, it } from 'vitest'
import { findCookie, listCookies } from './cookies.ts'

it('parses a Cookie header, however it is spaced', () => {
  expect(listCookies('a=1; b = x=y;c=%20; d')).toEqual([
    { name: 'a', value: '1' },
    { name: 'b', value: 'x=y' },
    { name: 'c', value: '%20' },
    { name: '', value: 'd' },
  ])
  expect(findCookie('a=1; b=2; a=3', 'a')).toBe('1')
  for (const header of [undefined, '', ';;', 'ba=1']) expect(findCookie(header, 'a')).toBeNull()
})

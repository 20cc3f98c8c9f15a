import { expect, it } from 'vitest'
import { describeSync } from './describe-sync.ts'

it('gives the error in ms while in sync or correcting, and otherwise the cause alone', () => {
  expect(describeSync('in_sync', -3.6)).toBe('In sync · 4 ms')
  expect(describeSync('correcting', 41.2)).toBe('Correcting · 41 ms')
  expect(describeSync('buffering', 900)).toBe('Buffering')
  expect(describeSync('no_clock', null)).toBe('Setting the clock')
})

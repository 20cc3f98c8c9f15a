import { expect, it } from 'vitest'
import { describeSync } from './describe-sync.ts'

it('11.3a the badge shows the error plus the uncertainty, rounded up, and the cause alone without a figure', () => {
  expect(describeSync({ cause: 'in_sync', errorMs: -3.6, uncertaintyMs: 0.5 })).toBe('In sync · within 5 ms')
  expect(describeSync({ cause: 'in_sync', errorMs: 0.1, uncertaintyMs: 20 })).toBe('In sync · within 21 ms')
  expect(describeSync({ cause: 'in_sync', errorMs: 0, uncertaintyMs: 0 })).toBe('In sync · within 1 ms')
  expect(describeSync({ cause: 'correcting', errorMs: 41.2 })).toBe('Correcting · within 42 ms')
  expect(describeSync({ cause: 'buffering', errorMs: 900 })).toBe('Buffering')
})

it('11.3c the badge says that the clock is settling, with and without sound', () => {
  expect(describeSync({ cause: 'no_clock', errorMs: null })).toBe('Clock settling')
  expect(describeSync({ cause: 'no_clock', errorMs: 0.4, uncertaintyMs: 60 })).toBe('Clock settling')
})

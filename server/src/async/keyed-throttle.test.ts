import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { expect, it } from 'vitest'
import { createKeyedThrottle } from './keyed-throttle.ts'

function openThrottle() {
  const clock = createFakeClock()
  const runs: string[] = []
  const startMs = clock.now()
  const throttle = createKeyedThrottle(clock, 100, (key) => runs.push(`${key} at ${clock.now() - startMs}`))
  return { clock, runs, throttle }
}

it('a key runs at once, and once more at the end of the wait for all requests within it', () => {
  const { clock, runs, throttle } = openThrottle()
  expect([throttle.request('a'), throttle.request('a'), throttle.request('a')]).toEqual([1, null, null])
  expect(throttle.request('b')).toBe(2)
  clock.advance(99)
  expect(runs).toEqual(['a at 0', 'b at 0'])
  clock.advance(1)
  expect(runs).toEqual(['a at 0', 'b at 0', 'a at 100'])
  clock.advance(100)
  throttle.request('a')
  expect(runs).toEqual(['a at 0', 'b at 0', 'a at 100', 'a at 200'])
})

it('a wait can be made longer, and closing drops the requests that wait', () => {
  const { clock, runs, throttle } = openThrottle()
  throttle.request('a')
  throttle.wait('a', 500)
  throttle.request('a')
  clock.advance(499)
  expect(runs).toEqual(['a at 0'])
  clock.advance(1)
  expect(runs).toEqual(['a at 0', 'a at 500'])
  throttle.request('a')
  throttle.close()
  clock.advance(1_000)
  expect(runs).toEqual(['a at 0', 'a at 500'])
})

import { expect, it } from 'vitest'
import { createFakeClock } from './fake-clock.ts'

it('runs due timers in order, each at its time', () => {
  const clock = createFakeClock(1_000)
  const seen: string[] = []
  clock.after(50, () => seen.push(`b at ${clock.now()}`))
  clock.after(10, () => {
    seen.push(`a at ${clock.now()}`)
    clock.after(20, () => seen.push(`c at ${clock.now()}`))
  })
  clock.after(50, () => seen.push('after b'))
  clock.advance(49)
  expect(seen).toEqual(['a at 1010', 'c at 1030'])
  clock.advance(1)
  expect(seen.slice(2)).toEqual(['b at 1050', 'after b'])
  expect(clock.now()).toBe(1_050)
})

it('does not run cancelled timers', () => {
  const clock = createFakeClock()
  const cancel = clock.after(5, () => expect.unreachable())
  expect(clock.pending).toBe(1)
  cancel()
  cancel()
  clock.advance(10)
  expect(clock.pending).toBe(0)
})

it('lets promises settle between timers', async () => {
  const clock = createFakeClock(0)
  const seen: number[] = []
  const tick = async (): Promise<void> => {
    await Promise.resolve()
    seen.push(clock.now())
    if (seen.length < 3) clock.after(10, () => void tick())
  }
  clock.after(10, () => void tick())
  await clock.advanceAsync(100)
  expect(seen).toEqual([10, 20, 30])
})

import { beforeEach, expect, it } from 'vitest'
import { drawPosition } from './progress-bar.tsx'

let input: HTMLInputElement
let elapsed: HTMLSpanElement

beforeEach(() => {
  input = document.createElement('input')
  input.type = 'range'
  input.max = '200000'
  elapsed = document.createElement('span')
})

it('2.23b shows the elapsed time, and --:-- where there is none', () => {
  drawPosition({ input, elapsed }, { positionMs: 65_400, durationMs: 200_000, isHeld: false })
  expect([elapsed.textContent, input.value, input.style.getPropertyValue('--fill')]).toEqual([
    '1:05',
    '65400',
    '0.327',
  ])
  expect(input.getAttribute('aria-valuetext')).toBe('1:05 of 3:20')
  drawPosition({ input, elapsed }, { positionMs: null, durationMs: null, isHeld: false })
  expect([elapsed.textContent, input.style.getPropertyValue('--fill')]).toEqual(['--:--', '0'])
  expect(input.getAttribute('aria-valuetext')).toBe('--:-- of --:--')
  drawPosition({ input, elapsed }, { positionMs: 65_400, durationMs: null, isHeld: false })
  expect([elapsed.textContent, input.style.getPropertyValue('--fill')]).toEqual(['1:05', '0'])
  expect(input.getAttribute('aria-valuetext')).toBe('1:05 of --:--')
})

it('stops at the end of the track', () => {
  drawPosition({ input, elapsed }, { positionMs: 300_000, durationMs: 200_000, isHeld: false })
  expect(input.style.getPropertyValue('--fill')).toBe('1')
})

it('does not move the thumb while it is dragged', () => {
  input.value = '150000'
  drawPosition({ input, elapsed }, { positionMs: 150_000, durationMs: 200_000, isHeld: true })
  drawPosition({ input, elapsed }, { positionMs: 20_000, durationMs: 200_000, isHeld: true })
  expect(input.value).toBe('150000')
})

import { beforeEach, expect, it } from 'vitest'
import { readDebugMark, writeDebugMark } from './debug-mark.ts'

beforeEach(() => sessionStorage.clear())

it('2.22c the debug tools are closed until somebody opens them, and stay as they were left', () => {
  expect(readDebugMark()).toBe(false)
  writeDebugMark(true)
  expect(readDebugMark()).toBe(true)
  writeDebugMark(false)
  expect(readDebugMark()).toBe(false)
})

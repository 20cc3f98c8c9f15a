import { beforeEach, expect, it } from 'vitest'
import { readDebugToolsOpen, writeDebugToolsOpen } from './debug-toggle.tsx'

beforeEach(() => sessionStorage.clear())

it('2.22c the debug tools start closed and stay as the user left them', () => {
  expect(readDebugToolsOpen()).toBe(false)
  writeDebugToolsOpen(true)
  expect(readDebugToolsOpen()).toBe(true)
  writeDebugToolsOpen(false)
  expect(readDebugToolsOpen()).toBe(false)
})

import { beforeEach, expect, it } from 'vitest'
import {
  readMuted,
  readNudgesMs,
  readVolume,
  writeMuted,
  writeNudgeMs,
  writeVolume,
} from './device-settings.ts'

beforeEach(() => localStorage.clear())

it('starts audible, and remembers volume and mute', () => {
  expect(readVolume()).toBeGreaterThan(0)
  expect(readMuted()).toBe(false)
  writeVolume(0.3)
  writeMuted(true)
  expect(readVolume()).toBe(0.3)
  expect(readMuted()).toBe(true)
})

it('remembers a nudge for each source', () => {
  writeNudgeMs('library', -20)
  writeNudgeMs('youtube', 40)
  expect(readNudgesMs()).toEqual({ library: -20, youtube: 40, spotify: 0 })
})

it('ignores a stored value that is not a volume', () => {
  const usual = readVolume()
  for (const text of ['loud', '7', '-1', '']) {
    localStorage.setItem('volume:v1', text)
    expect(readVolume()).toBe(usual)
  }
})

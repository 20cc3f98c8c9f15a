import { expect, it, vi } from 'vitest'
import { readStored, readStoredJson, writeStored, writeStoredJson } from './storage.ts'

it('17.132 keeps texts and values on the device or for the tab, and removes them', () => {
  expect(writeStored('device', 'a:v1', 'one')).toBe(true)
  writeStoredJson('tab', 'a:v1:room', { two: 2 })
  expect(readStored('device', 'a:v1')).toBe('one')
  expect(readStored('tab', 'a:v1')).toBeNull()
  expect(readStoredJson('tab', 'a:v1:room')).toEqual({ two: 2 })
  expect(localStorage.getItem('a:v1')).toBe('one')
  writeStored('device', 'a:v1', null)
  writeStoredJson('tab', 'a:v1:room', null)
  expect([localStorage.getItem('a:v1'), sessionStorage.getItem('a:v1:room')]).toEqual([null, null])
})

it('17.132 a key without a version does not compile', () => {
  // @ts-expect-error -- no version
  expect(readStored('device', 'volume')).toBeNull()
})

it('17.132 a value of another shape, and storage that is full or forbidden, are as nothing', () => {
  sessionStorage.setItem('a:v1', '{')
  expect(readStoredJson('tab', 'a:v1')).toBeNull()
  const refused = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  expect(writeStored('device', 'a:v1', 'one')).toBe(false)
  refused.mockRestore()
  const forbidden = vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('forbidden', 'SecurityError')
  })
  expect(readStored('device', 'a:v1')).toBeNull()
  expect(writeStored('device', 'a:v1', null)).toBe(false)
  forbidden.mockRestore()
})

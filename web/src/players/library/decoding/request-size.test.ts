import { expect, it } from 'vitest'
import { learnQuickBytes, sizeRequest } from './request-size.ts'

const kB = 1_024

it.each([
  ['a slow line', 16 * kB, 0, 16],
  ['a slow line and much sound', 176 * kB, 0, 88],
  ['a fast line', 16 * kB, 500 * kB, 32],
  ['a fast line and much sound', 176 * kB, 500 * kB, 256],
  ['a line of which little is known', 176 * kB, 100 * kB, 100],
])('16.101 on %s, %i bytes a second are asked for in %s', (_line, perSecond, quickBytes, expectedKB) => {
  expect(sizeRequest(perSecond, quickBytes)).toBe(expectedKB * kB)
})

it('16.101 what arrives at once may be twice as large; one slow request starts anew', () => {
  expect(learnQuickBytes(0, 100, 9)).toBe(200)
  expect(learnQuickBytes(400, 100, 9)).toBe(400)
  expect(learnQuickBytes(400, 800, 15)).toBe(400)
  expect(learnQuickBytes(400, 100, 21)).toBe(0)
})

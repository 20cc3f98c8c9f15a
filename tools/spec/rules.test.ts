import { describe, expect, it } from 'vitest'
import { findMissingNumbers, findStrayNumbers, findTestedRules, parseRules, sectionSizes } from './rules.ts'

const complete = Object.entries(sectionSizes).flatMap(([section, size]) =>
  Array.from({ length: size }, (_, index) => ({ id: `${section}.${index + 1}`, state: 'built' as const })),
)

describe('the document', () => {
  it('is parsed into rules with their states, one per line', () => {
    const text =
      '# Title\n- **4.7a** (built) Joins.\n- **4.7b** (planned) Later.\n- **9.29** (note) Not stated.\n'
    expect(parseRules(text)).toEqual([
      { id: '4.7a', state: 'built' },
      { id: '4.7b', state: 'planned' },
      { id: '9.29', state: 'note' },
    ])
  })

  it('is checked for missing numbers', () => {
    expect(findMissingNumbers(complete)).toEqual([])
    expect(findMissingNumbers(complete.filter((rule) => rule.id !== '5.3'))).toEqual(['5.3'])
  })

  it('is checked for missing letters', () => {
    const rules = complete.filter((rule) => rule.id !== '4.7')
    const lettered = ['4.7a', '4.7c'].map((id) => ({ id, state: 'built' as const }))
    expect(findMissingNumbers([...rules, ...lettered])).toEqual(['4.7b'])
  })

  it('is checked for duplicate numbers and numbers outside the sections', () => {
    const extra = ['4.7', '4.99', '99.1'].map((id) => ({ id, state: 'built' as const }))
    expect(findStrayNumbers([...complete, ...extra])).toEqual(['4.7', '4.99', '99.1'])
  })
})

describe('the tests', () => {
  it('are found by the numbers at the beginning of their names', () => {
    const source = [
      "it('4.7a a join checks the room', () => {})",
      'test(`4.13a, 4.16 the next track`, async () => {})',
      "it.each([1, 2])('9.17b number %i', () => {})",
      "it.each([['a', 'b'], [\"it's\", () => `c;`]] as const)(\n  '10.22 of %s', () => {})",
      "it.skipIf(isWindows('x'))('10.23 elsewhere', () => {})",
      "it('says 4.2 in the middle', () => {})",
    ].join('\n')
    expect(findTestedRules(source)).toEqual(['4.7a', '4.13a', '4.16', '9.17b', '10.22', '10.23'])
  })
})

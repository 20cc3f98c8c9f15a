import { describe, expect, it } from 'vitest'
import { findMissingNumbers, findStrayNumbers, findTestedRules, parseRules, sectionSizes } from './rules.ts'

const complete = Object.entries(sectionSizes).flatMap(([section, size]) =>
  Array.from({ length: size }, (_, index) => ({ id: `${section}.${index + 1}`, state: 'built' as const })),
)

describe('the document', () => {
  it('reads one rule a line with its state', () => {
    const text =
      '# Title\n- **4.7a** (built) Joins.\n- **4.7b** (planned) Later.\n- **9.29** (note) Not stated.\n'
    expect(parseRules(text)).toEqual([
      { id: '4.7a', state: 'built' },
      { id: '4.7b', state: 'planned' },
      { id: '9.29', state: 'note' },
    ])
  })

  it('notices a number that is missing', () => {
    expect(findMissingNumbers(complete)).toEqual([])
    expect(findMissingNumbers(complete.filter((rule) => rule.id !== '5.3'))).toEqual(['5.3'])
  })

  it('notices a letter that is missing', () => {
    const rules = complete.filter((rule) => rule.id !== '4.7')
    const lettered = ['4.7a', '4.7c'].map((id) => ({ id, state: 'built' as const }))
    expect(findMissingNumbers([...rules, ...lettered])).toEqual(['4.7b'])
  })

  it('notices a number that stands twice or belongs nowhere', () => {
    const extra = ['4.7', '4.99', '12.1'].map((id) => ({ id, state: 'built' as const }))
    expect(findStrayNumbers([...complete, ...extra])).toEqual(['4.7', '4.99', '12.1'])
  })
})

describe('the tests', () => {
  it('finds the numbers that names begin with', () => {
    const source = [
      "it('4.7a a join checks the room', () => {})",
      'test(`4.13a, 4.16 the next track`, async () => {})',
      "it.each([1, 2])('9.17b number %i', () => {})",
      "it('says 4.2 in the middle', () => {})",
    ].join('\n')
    expect(findTestedRules(source)).toEqual(['4.7a', '4.13a', '4.16', '9.17b'])
  })
})

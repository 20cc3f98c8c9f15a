/** The state of a rule in docs/spec.md: built rules need a test, planned ones do not yet, notes state no behaviour. */
type RuleState = 'built' | 'planned' | 'note'

export interface Rule {
  id: string
  state: RuleState
}

/** The number of rules in each section, to detect a lost one. */
export const sectionSizes: Readonly<Record<number, number>> = {
  1: 5,
  2: 40,
  3: 14,
  4: 24,
  5: 11,
  6: 6,
  7: 24,
  8: 17,
  9: 29,
  11: 4,
  14: 5,
  15: 52,
}

/** The highest number of each section that still grows; its numbers may have gaps beyond its size. */
const growingSections: Readonly<Record<number, number>> = {
  10: 29,
  12: 39,
  13: 39,
  15: 160,
  16: 326,
  17: 495,
}

const ruleLine = /^- \*\*(\d+\.\d+[a-z]?)\*\* \((built|planned|note)\) \S/gm

/** Parses the rules of the document, in order. */
export function parseRules(document: string): Rule[] {
  return [...document.matchAll(ruleLine)].map(([, id = '', state]) => ({ id, state: state as RuleState }))
}

/** Finds missing rule numbers, and missing letters between `a` and the last one. */
export function findMissingNumbers(rules: Rule[]): string[] {
  const ids = new Set(rules.map((rule) => rule.id))
  const missing: string[] = []
  for (const [section, size] of Object.entries(sectionSizes)) {
    for (let number = 1; number <= size; number += 1) {
      const base = `${section}.${number}`
      const letters = rules.filter((rule) => rule.id.replace(/[a-z]$/, '') === base && rule.id !== base)
      if (!ids.has(base) && letters.length === 0) missing.push(base)
      letters.forEach((_, index) => {
        const expected = base + String.fromCharCode(97 + index)
        if (!ids.has(expected)) missing.push(expected)
      })
    }
  }
  return missing
}

/** Finds duplicate numbers, and numbers outside the sections. */
export function findStrayNumbers(rules: Rule[]): string[] {
  const seen = new Set<string>()
  return rules
    .map((rule) => rule.id)
    .filter((id) => {
      const [section = 0, number = 0] = id
        .replace(/[a-z]$/, '')
        .split('.')
        .map(Number)
      const highest = Math.max(sectionSizes[section] ?? 0, growingSections[section] ?? 0)
      const isStray = seen.has(id) || number < 1 || number > highest
      seen.add(id)
      return isStray
    })
}

/** The title of a test, or, after the rows of a table, that of its tests. */
const testTitle = /(?:\b(?:it|test)[\w.]*|\))\(\s*(['"`])(\d+\.\d+[a-z]?(?:,\s*\d+\.\d+[a-z]?)*)\s/g

/** Finds the rule numbers at the beginning of a file's test names. */
export function findTestedRules(source: string): string[] {
  return [...source.matchAll(testTitle)].flatMap(([, , ids = '']) => ids.split(/,\s*/))
}

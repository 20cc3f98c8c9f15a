/** What docs/spec.md says of a rule's state: built rules need a test, planned ones wait, notes state no behaviour. */
export type RuleState = 'built' | 'planned' | 'note'

export interface Rule {
  id: string
  state: RuleState
}

/** How many numbers each of the nine sections has: a document that lost one is found out. */
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
}

const ruleLine = /^- \*\*(\d+\.\d+[a-z]?)\*\* \((built|planned|note)\) \S/gm

/** The rules of the document, in its order. */
export function parseRules(document: string): Rule[] {
  return [...document.matchAll(ruleLine)].map(([, id = '', state]) => ({ id, state: state as RuleState }))
}

/** The numbers a document of these rules lacks: whole rules, and letters left out between `a` and the last. */
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

/** The numbers that stand twice, or that lie outside the sections. */
export function findStrayNumbers(rules: Rule[]): string[] {
  const seen = new Set<string>()
  return rules
    .map((rule) => rule.id)
    .filter((id) => {
      const [section = 0, number = 0] = id
        .replace(/[a-z]$/, '')
        .split('.')
        .map(Number)
      const isStray = seen.has(id) || number < 1 || number > (sectionSizes[section] ?? 0)
      seen.add(id)
      return isStray
    })
}

const testTitle = /\b(?:it|test)\b[^'"`;]{0,300}?\(\s*(['"`])(\d+\.\d+[a-z]?(?:,\s*\d+\.\d+[a-z]?)*)\s/g

/** The rule numbers that the names of a file's tests begin with. */
export function findTestedRules(source: string): string[] {
  return [...source.matchAll(testTitle)].flatMap(([, , ids = '']) => ids.split(/,\s*/))
}

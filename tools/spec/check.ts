/** `npm run spec`: compares the rules of docs/spec.md with the names of the tests, and the decisions with their list. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findMissingNumbers, findStrayNumbers, findTestedRules, parseRules } from './rules.ts'

const root = join(import.meta.dirname, '..', '..')
const rules = parseRules(readFileSync(join(root, 'docs', 'spec.md'), 'utf8'))
const files = globSync(
  ['{core,server,web,bench}/**/*.test.{ts,tsx}', 'tools/{,package/}*.test.ts', 'e2e/**/*.{spec,test}.ts'],
  {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  },
)
const tested = new Map<string, string>()
for (const file of files) {
  for (const id of findTestedRules(readFileSync(join(root, file), 'utf8'))) tested.set(id, file)
}

const decisions = globSync('[0-9]*.md', { cwd: join(root, 'docs', 'decisions') })
const decisionList = readFileSync(join(root, 'docs', 'decisions', 'README.md'), 'utf8')

const known = new Set(rules.map((rule) => rule.id))
const built = rules.filter((rule) => rule.state === 'built')
const problems = [
  ...findMissingNumbers(rules).map((id) => `${id} is missing from docs/spec.md`),
  ...findStrayNumbers(rules).map((id) => `${id} appears twice in docs/spec.md, or is in no section`),
  ...built.filter((rule) => !tested.has(rule.id)).map((rule) => `${rule.id} is built but has no test`),
  ...[...tested]
    .filter(([id]) => !known.has(id))
    .map(([id, file]) => `${id} is not in docs/spec.md, but is named in ${file}`),
  ...decisions
    .filter((name) => !decisionList.includes(`(${name})`))
    .map((name) => `${name} is missing from docs/decisions/README.md`),
]
const planned = rules.filter((rule) => rule.state === 'planned')
const early = planned.filter((rule) => tested.has(rule.id)).map((rule) => rule.id)

for (const problem of problems) console.error(problem)
if (early.length > 0) console.log(`Planned rules with tests: ${early.join(', ')}`)
console.log(
  `${rules.length} rules: ${built.length} built, ${planned.length} planned, ` +
    `${rules.length - built.length - planned.length} notes; ${problems.length} problems`,
)
process.exitCode = problems.length > 0 ? 1 : 0

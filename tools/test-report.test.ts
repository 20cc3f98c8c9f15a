import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { root } from './install.mjs'
import { readReport } from './test-report.mjs'

function writeReport(report: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-report-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'report.json')
  writeFileSync(path, typeof report === 'string' ? report : JSON.stringify(report))
  return path
}

it('lists the failed tests of Vitest, and files that could not be loaded', () => {
  const path = writeReport({
    numPassedTests: 1,
    numFailedTests: 1,
    numPendingTests: 2,
    testResults: [
      {
        name: join(root, 'core/a.test.ts'),
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'adds' },
          { status: 'failed', fullName: 'divides', failureMessages: ['Error: by zero\n  at a.ts'] },
        ],
      },
      { name: join(root, 'core/b.test.ts'), status: 'failed', message: 'No such file', assertionResults: [] },
    ],
  })
  expect(readReport('vitest', path)).toEqual({
    passed: 1,
    failed: 1,
    skipped: 2,
    failures: ['core/a.test.ts > divides > Error: by zero', 'core/b.test.ts > No such file'],
  })
})

it('lists the failed tests of Playwright, and errors outside of tests', () => {
  const path = writeReport({
    stats: { expected: 3, flaky: 1, unexpected: 1, skipped: 0 },
    errors: [{ message: 'No browser' }],
    suites: [
      {
        suites: [
          {
            specs: [
              { title: 'opens', file: 'a.spec.ts', tests: [{ status: 'expected', results: [{}] }] },
              {
                title: 'closes',
                file: 'a.spec.ts',
                tests: [
                  {
                    status: 'unexpected',
                    results: [
                      { error: { message: '\u001b[31mNot equal\u001b[39m\n\n+ a 404\n    at a.ts:1' } },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  })
  expect(readReport('playwright', path)).toEqual({
    passed: 4,
    failed: 1,
    skipped: 0,
    failures: ['a.spec.ts > closes > Not equal\n        + a 404', 'No browser'],
  })
})

it('reads nothing from a report that is cut off', () => {
  const nothing = { passed: 0, failed: 0, skipped: 0, failures: [] }
  expect(readReport('vitest', writeReport('{"numPassedTests": 3,'))).toEqual(nothing)
})

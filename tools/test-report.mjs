import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './install.mjs'

/**
 * @typedef {object} TestReport
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {string[]} failures For each failed test its file, its name, and the error, with what was expected and received.
 */

/**
 * Reads the JSON report of a test runner; a report that is missing or cut off has no results.
 * @param {'vitest' | 'playwright'} runner
 * @param {string} path
 * @returns {TestReport}
 */
export function readReport(runner, path) {
  let report = {}
  try {
    report = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // A runner that crashed writes no report.
  }
  return runner === 'vitest' ? readVitest(report) : readPlaywright(report)
}

/**
 * @typedef {{ status: string, fullName: string, failureMessages?: string[] }} VitestTest
 * @typedef {{ name: string, status: string, message?: string, assertionResults: VitestTest[] }} VitestFile
 * @param {{ numPassedTests?: number, numFailedTests?: number, numPendingTests?: number, testResults?: VitestFile[] }} report
 * @returns {TestReport}
 */
function readVitest(report) {
  const failures = (report.testResults ?? []).flatMap((file) => {
    const failed = file.assertionResults.filter((test) => test.status === 'failed')
    const path = relative(root, file.name)
    if (file.status === 'failed' && failed.length === 0) return [describe(path, '', file.message)]
    return failed.map((test) => describe(path, test.fullName, test.failureMessages?.[0]))
  })
  return {
    passed: report.numPassedTests ?? 0,
    failed: report.numFailedTests ?? 0,
    skipped: report.numPendingTests ?? 0,
    failures,
  }
}

/**
 * @typedef {{ results: { error?: { message?: string } }[], status: string }} PlaywrightTest
 * @typedef {{ title: string, file: string, tests: PlaywrightTest[] }} PlaywrightSpec
 * @typedef {{ specs?: PlaywrightSpec[], suites?: PlaywrightSuite[] }} PlaywrightSuite
 * @typedef {{ expected?: number, flaky?: number, unexpected?: number, skipped?: number }} PlaywrightStats
 * @param {PlaywrightSuite & { stats?: PlaywrightStats, errors?: { message?: string }[] }} report
 * @returns {TestReport}
 */
function readPlaywright({ stats = {}, errors = [], suites = [] }) {
  const failures = listSpecs({ suites }).flatMap(({ file, title, tests }) =>
    tests
      .filter((test) => test.status === 'unexpected')
      .map((test) => describe(file, title, test.results.at(-1)?.error?.message)),
  )
  return {
    passed: (stats.expected ?? 0) + (stats.flaky ?? 0),
    failed: stats.unexpected ?? 0,
    skipped: stats.skipped ?? 0,
    failures: [...failures, ...errors.map(({ message }) => describe('', '', message))],
  }
}

/**
 * @param {PlaywrightSuite} suite
 * @returns {PlaywrightSpec[]}
 */
function listSpecs({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap((suite) => listSpecs(suite))]
}

/** @param {string} file @param {string} name @param {string} [message] */
function describe(file, name, message = '') {
  const lines = stripVTControlCharacters(message).split('\n')
  const reason = lines.filter((line) => line.trim() !== '' && !/^\s+at /.test(line)).slice(0, 12)
  return [file, name, reason.join('\n        ')].filter((part) => part !== '').join(' > ')
}

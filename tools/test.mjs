// `npm test`: every check and every test, and the closing counts.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureEngines, findBrowser } from './engines.mjs'
import { ensureInstalled, root } from './install.mjs'
import { ensurePageBuilt } from './page.mjs'

ensureInstalled({ withTools: true })
ensureEngines()

const reports = mkdtempSync(join(tmpdir(), 'earshot-test-'))
const unitReport = join(reports, 'unit.json')
const browserReport = join(reports, 'browser.json')
const counts = { passed: 0, failed: 0, skipped: 0 }
/** @type {string[]} */
const failures = []

/**
 * Runs one step through npm, so that the project's Node is found.
 * @param {string} name
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
function run(name, args, env = {}) {
  console.log(`\n== ${name}`)
  const startedAt = Date.now()
  const result = spawnSync('npm', ['run', '--silent', ...args], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', ...env },
  })
  console.log(
    `== ${name}: ${result.status === 0 ? 'ok' : 'FAILED'} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`,
  )
  if (result.status !== 0) failures.push(name)
}

/** @param {string} path */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

function countUnitTests() {
  const report = readReport(unitReport)
  counts.passed += report?.numPassedTests ?? 0
  counts.failed += report?.numFailedTests ?? 0
  counts.skipped += report?.numPendingTests ?? 0
}

function countBrowserTests() {
  const stats = readReport(browserReport)?.stats
  counts.passed += (stats?.expected ?? 0) + (stats?.flaky ?? 0)
  counts.failed += stats?.unexpected ?? 0
  counts.skipped += stats?.skipped ?? 0
}

run('format', ['format:check'])
run('lint', ['lint'])
run('unused', ['unused'])
run('types', ['types'])
run('spec', ['spec'])
ensurePageBuilt()
run('unit, property, contract and socket tests', [
  'unit',
  '--',
  '--reporter=dot',
  '--reporter=json',
  `--outputFile.json=${unitReport}`,
])
countUnitTests()
run('browser tests', ['e2e', '--', '--reporter=line,json'], {
  PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport,
  CHROMIUM_PATH: findBrowser() ?? '',
})
countBrowserTests()
rmSync(reports, { recursive: true, force: true })

// A step can fail without a failed test (a check, a crash): it counts as one, so that the line never looks green.
if (failures.length > 0 && counts.failed === 0) counts.failed = failures.length
console.log(failures.length > 0 ? `\nFailed: ${failures.join('; ')}` : '\nEverything passed.')
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exitCode = failures.length > 0 || counts.passed === 0 ? 1 : 0

// `npm test [-- step ...]`: installs what is missing, runs every check and test or the named steps, prints the counts.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled, fail, root } from './install.mjs'
import { ensureSystemPackagesBeside } from './system-packages.mjs'
import { readReport } from './test-report.mjs'

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} script The npm script with its arguments.
 * @property {'vitest' | 'playwright'} [report] How its tests are counted.
 * @property {import('./system-packages.mjs').SystemProgram[]} [needs]
 * @property {boolean} [isCheck] Runs beside the tests, at the lowest priority: it takes what they leave of the processors.
 * @property {boolean} [isExtra] Runs only with --all or by name.
 */

/** @type {Step[]} The checks in their order, and beside them the others in theirs, one after the other. */
const steps = [
  { name: 'spec', script: ['spec'], isCheck: true },
  { name: 'lint', script: ['lint'], isCheck: true },
  { name: 'unused', script: ['unused'], isCheck: true },
  { name: 'format', script: ['format:check'], isCheck: true },
  { name: 'build', script: ['build'] },
  { name: 'unit', script: ['unit'], report: 'vitest', needs: ['postgresql', 'redis'] },
  {
    name: 'page',
    script: ['e2e', '--', '--project=page'],
    report: 'playwright',
    needs: ['chromium', 'headless-shell'],
  },
  {
    name: 'sound',
    script: ['e2e', '--', '--project=sound'],
    report: 'playwright',
    needs: ['chromium', 'pulseaudio'],
  },
  {
    name: 'long',
    script: ['e2e', '--', '--project=long', '--project=long-page', '--project=long-sound'],
    report: 'playwright',
    needs: ['chromium', 'pulseaudio', 'ffmpeg'],
    isExtra: true,
  },
  {
    name: 'engines',
    script: ['e2e', '--', '--project=engines'],
    report: 'playwright',
    needs: ['chromium', 'pulseaudio', 'firefox', 'webkit'],
    isExtra: true,
  },
  {
    name: 'faults',
    script: ['faults'],
    report: 'vitest',
    needs: ['postgresql', 'redis', 'chromium', 'pulseaudio'],
    isExtra: true,
  },
  // Lint checks them too: this is the compiler itself.
  { name: 'types', script: ['types'], isCheck: true, isExtra: true },
  { name: 'bench', script: ['test:bench'], report: 'vitest', isExtra: true },
  { name: 'demo-music', script: ['test:demo-music'], report: 'vitest', isExtra: true },
]

/**
 * @typedef {import('./test-report.mjs').TestReport} TestReport
 * @typedef {{ step: Step, isOk: boolean, seconds: number, report: TestReport }} Outcome
 */

const args = process.argv.slice(2)
/** Property tests try the same cases in each run but these. */
const tryNewCases = args.includes('--all')

/** Of a failed command, at the end of the run. */
const quotedLines = 40

const reports = mkdtempSync(join(tmpdir(), 'earshot-test-'))

function chooseSteps() {
  const names = args.filter((arg) => arg !== '--all')
  const unknown = names.filter((name) => !steps.some((step) => step.name === name))
  if (unknown.length > 0) {
    fail(
      `There is no step ${unknown.join(', ')}. The steps are: ${steps.map((step) => step.name).join(', ')}.`,
    )
  }
  if (names.length > 0) return steps.filter((step) => names.includes(step.name))
  return steps.filter((step) => !step.isExtra || args.includes('--all'))
}

/** @param {Step} step */
function reportPath(step) {
  return join(reports, `${step.name}.json`)
}

/** @param {Step} step */
function listArguments(step) {
  if (step.report === 'vitest') {
    return [
      ...step.script,
      '--',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${reportPath(step)}`,
    ]
  }
  return step.report === 'playwright' ? [...step.script, '--reporter=line,json'] : step.script
}

/**
 * Reads the results of a step. Counts a crash, and a run without any test, as one failure.
 * @param {Step} step
 * @param {boolean} isOk Whether its command succeeded.
 * @param {string} output Quoted where it failed without a failed test.
 * @returns {TestReport}
 */
function countResults(step, isOk, output) {
  const report = step.report
    ? readReport(step.report, reportPath(step))
    : { passed: 0, failed: 0, skipped: 0, failures: [] }
  const hasFailed = !isOk || (step.report !== undefined && report.passed === 0)
  if (!hasFailed || report.failed > 0) return report
  const lastLines = output.trimEnd().split('\n').slice(-quotedLines).join('\n')
  return { ...report, failed: 1, failures: [...report.failures, `its command failed:\n${lastLines}`] }
}

/**
 * Runs a step through npm, so that it runs on the project's Node.
 * @param {Step} step
 * @param {'live' | 'at end'} output When its output is printed.
 * @returns {Promise<Outcome>}
 */
function run(step, output) {
  if (output === 'live') console.log(`\n== ${step.name}`)
  const startedAt = performance.now()
  const child = spawn('npm', ['run', '--silent', ...listArguments(step)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    env: {
      ...process.env,
      NO_COLOR: '1',
      ...(tryNewCases && { PROPERTY_SEED: String(Math.floor(Math.random() * 2 ** 31)) }),
      PLAYWRIGHT_JSON_OUTPUT_NAME: reportPath(step),
    },
  })
  // Programs that it starts inherit the priority.
  if (step.isCheck && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => {
      text += chunk
      if (output === 'live') process.stdout.write(chunk)
    })
  }
  return new Promise((resolve) => {
    child.once('close', (code) => {
      const report = countResults(step, code === 0, text)
      const seconds = (performance.now() - startedAt) / 1_000
      const outcome = { step, isOk: code === 0 && report.failed === 0, seconds, report }
      if (output === 'at end') console.log(`\n== ${step.name}${text ? `\n${text.trimEnd()}` : ''}`)
      console.log(`== ${describe(outcome)}`)
      resolve(outcome)
    })
  })
}

/** @param {Outcome} outcome */
function describe({ step, isOk, seconds }) {
  return `${step.name}: ${isOk ? 'ok' : 'FAILED'} (${seconds.toFixed(1)} s)`
}

/**
 * Runs the checks beside the tests, and what needs no system packages while these are installed.
 * @param {Step[]} chosen
 * @returns {Promise<Outcome[]>} In the order in which they ended.
 */
async function runAll(chosen) {
  const checks = chosen.filter((step) => step.isCheck)
  const tests = chosen.filter((step) => !step.isCheck)
  /** @type {Outcome[]} */
  const outcomes = []
  /** @param {Step[]} waiting @param {'live' | 'at end'} output */
  const work = async (waiting, output) => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      if (step.needs && !(await hasPrograms)) process.exit(1)
      outcomes.push(await run(step, output))
    }
  }
  const lanes = tests.length > 0 ? 1 : availableParallelism()
  await Promise.all([work(tests, 'live'), ...Array.from({ length: lanes }, () => work(checks, 'at end'))])
  return outcomes
}

/** @param {Outcome[]} outcomes @param {number} seconds */
function printSummary(outcomes, seconds) {
  const total = { passed: 0, failed: 0, skipped: 0 }
  console.log('')
  for (const { step, report } of outcomes) {
    for (const failure of report.failures) console.log(`FAILED  ${step.name}: ${failure}`)
  }
  for (const { step, isOk, seconds: took, report } of outcomes) {
    console.log(`${isOk ? 'ok    ' : 'FAILED'}  ${step.name.padEnd(12)} ${took.toFixed(1).padStart(7)} s`)
    total.passed += report.passed
    total.failed += report.failed
    total.skipped += report.skipped
  }
  console.log(`        ${'total'.padEnd(12)} ${seconds.toFixed(1).padStart(7)} s`)
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
}

const chosen = chooseSteps()
const startedAt = performance.now()
// Both take the better part of a minute on a new machine.
const hasPrograms = ensureSystemPackagesBeside([...new Set(chosen.flatMap((step) => step.needs ?? []))])
ensureInstalled('all')
const outcomes = await runAll(chosen)
rmSync(reports, { recursive: true, force: true })
printSummary(outcomes, (performance.now() - startedAt) / 1_000)
process.exitCode = outcomes.every((outcome) => outcome.isOk) ? 0 : 1

/** `npm run bench [-- name ... --runs 5]`: measures, prints each result beside the last stored one, and stores it. */
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { measurements } from './measurements.ts'
import type { Measurement } from './measurement.ts'
import { describeRun, loadRuns, storeRun } from './report/results.ts'
import { drawTable } from './report/table.ts'

const { positionals: names, values } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string' } },
})
const runs = parseRuns(values.runs)

/** Ends the program for anything but a whole number from 1. */
function parseRuns(text: string | undefined): number | null {
  if (text === undefined) return null
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  console.error(`--runs takes a whole number from 1, not ${text}`)
  process.exit(1)
}

/** The named measurements; without names all but the long ones. Ends the program for a name that nothing has. */
function choose(): Measurement[] {
  const known = measurements.map((measurement) => measurement.name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    console.error(`There is no measurement ${unknown.join(', ')}. There are: ${known.join(', ')}`)
    process.exit(1)
  }
  return measurements.filter(({ name, isLong }) => (names.length === 0 ? !isLong : names.includes(name)))
}

/** Warns that other programs distort the figures. */
function warnOfOthers(): void {
  const [load = 0] = loadavg()
  const cores = availableParallelism()
  if (load < cores / 4) return
  console.log(
    `Other programs keep this machine busy (load ${load.toFixed(1)} on ${cores} cores): expect worse figures.`,
  )
}

/** Measures one thing and reports it. Resolves to whether it could be measured. */
async function report(measurement: Measurement): Promise<boolean> {
  const startedAt = performance.now()
  const log = (line: string) => {
    console.log(`  ${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(3)} s  ${line}`)
  }
  console.log(`\n== ${measurement.name}`)
  try {
    const run = describeRun(await measurement.measure(log, { runs }), new Date())
    console.log(`\n${drawTable(measurement, run, loadRuns(measurement.name).at(-1) ?? null)}`)
    storeRun(measurement.name, run)
    return true
  } catch (error) {
    console.error(`${measurement.name} could not be measured:`, error)
    return false
  }
}

const chosen = choose()
warnOfOthers()
let failed = 0
for (const measurement of chosen) if (!(await report(measurement))) failed += 1
// An open socket would keep a finished run alive.
process.exit(failed > 0 ? 1 : 0)

import type { Figure, Measurement } from '../measurement.ts'
import type { StoredRun } from './results.ts'

const headers = ['', 'this run', 'range', 'baseline', 'ratio', 'last run', 'baseline', 'ratio', 'goal']

/**
 * A run beside the last stored one as a text table. The range is that of its repetitions. Ratios are between a figure
 * and the baseline of the same run: they can be compared across machines and days, the figures themselves hardly.
 */
export function drawTable(measurement: Measurement, run: StoredRun, last: StoredRun | null): string {
  const rows = run.figures.map((figure) => {
    const before = last?.figures.find((other) => other.name === figure.name)
    return [
      figure.unit === '' ? figure.name : `${figure.name} (${figure.unit})`,
      ...drawFigure(figure).toSpliced(1, 0, drawRange(figure)),
      ...(before ? drawFigure(before) : ['', '', '']),
      drawGoal(figure),
    ]
  })
  const lines = alignColumns([headers, ...rows])
  const beside = measurement.baseline === null ? '' : `\nbaseline: ${measurement.baseline}`
  const [head = '', ...body] = lines
  const rule = '-'.repeat(head.length)
  return [`${measurement.title}${beside}`, head, rule, ...body, drawLast(run, last)].join('\n')
}

function drawFigure({ value, baseline }: Figure): string[] {
  if (baseline === undefined) return [drawNumber(value), '', '']
  return [drawNumber(value), drawNumber(baseline), baseline === 0 ? '' : drawNumber(value / baseline)]
}

/** Draws the least and the greatest figure of several runs. */
function drawRange({ runs = [] }: Figure): string {
  const known = runs.filter((run) => run !== null)
  if (known.length < 2) return ''
  return `${drawNumber(Math.min(...known))} - ${drawNumber(Math.max(...known))}`
}

function drawGoal({ value, goal }: Figure): string {
  if (goal === undefined) return ''
  return `<= ${drawNumber(goal)} ${value <= goal ? 'met' : 'MISSED'}`
}

/** Three digits that mean something, and never fewer before the point than there are. */
export function drawNumber(value: number): string {
  const size = Math.abs(value)
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)
}

function drawLast(run: StoredRun, last: StoredRun | null): string {
  if (!last) return 'last run: none'
  const { cores, memoryGb, node } = last.machine
  const isSameMachine = JSON.stringify(last.machine) === JSON.stringify(run.machine)
  const where = isSameMachine ? 'same machine' : `${cores} cores, ${memoryGb} GB, Node ${node}`
  return `last run: ${last.date.slice(0, 16).replace('T', ' ')} UTC, commit ${last.commit}, ${where}`
}

/** Pads the first column on the right and the others on the left. */
function alignColumns(rows: string[][]): string[] {
  const widths = headers.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
      .padEnd(widths.reduce((sum, width) => sum + width + 2, -2)),
  )
}

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Figure } from '../measurement.ts'

/** One run of a measurement, as it is kept. */
export interface StoredRun {
  /** ISO 8601, UTC. */
  date: string
  /** The commit that was measured; ends with `+` where files were changed since. */
  commit: string
  machine: { cores: number; memoryGb: number; node: string }
  figures: Figure[]
}

const folder = join(import.meta.dirname, '..', 'results')
const keptRuns = 10

const pathOf = (name: string) => join(folder, `${name}.json`)

/** The kept runs of a measurement, oldest first; empty where there are none. */
export function loadRuns(name: string): StoredRun[] {
  try {
    return parseRuns(readFileSync(pathOf(name), 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** Parses stored runs. Those up to November 2026 call the baseline `yardstick`. */
export function parseRuns(text: string): StoredRun[] {
  const runs = JSON.parse(text) as (Omit<StoredRun, 'figures'> & { figures: StoredFigure[] })[]
  return runs.map((run) => ({
    ...run,
    figures: run.figures.map(({ yardstick, ...figure }) => ({
      ...figure,
      ...(yardstick === undefined ? {} : { baseline: yardstick }),
    })),
  }))
}

type StoredFigure = Figure & { yardstick?: number }

/** Stores a run after the earlier ones, as `appendRun` keeps them. */
export function storeRun(name: string, run: StoredRun): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(pathOf(name), `${JSON.stringify(appendRun(loadRuns(name), run), null, 1)}\n`)
}

/** The runs with one more: the first, which shows how it was before, and the latest nine. */
export function appendRun(runs: StoredRun[], run: StoredRun): StoredRun[] {
  const all = [...runs, run]
  return [...all.slice(0, 1), ...all.slice(1).slice(1 - keptRuns)]
}

/** Adds the date, the commit and the machine to figures. */
export function describeRun(figures: Figure[], now: Date): StoredRun {
  return {
    date: now.toISOString(),
    commit: readCommit(),
    machine: {
      cores: availableParallelism(),
      memoryGb: Math.round(totalmem() / 2 ** 30),
      node: process.version,
    },
    figures: figures.map(roundFigure),
  }
}

function readCommit(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--exclude=*', '--dirty=+'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return 'unknown'
  }
}

function roundFigure(figure: Figure): Figure {
  const round = (value: number) => Math.round(value * 1_000) / 1_000
  return {
    ...figure,
    value: round(figure.value),
    ...(figure.baseline === undefined ? {} : { baseline: round(figure.baseline) }),
    ...(figure.runs === undefined
      ? {}
      : { runs: figure.runs.map((run) => (run === null ? null : round(run))) }),
  }
}

import { describe, expect, it } from 'vitest'
import type { Measurement } from '../measurement.ts'
import { type StoredRun, appendRun, describeRun, parseRuns } from './results.ts'
import { drawNumber, drawTable } from './table.ts'

const measurement: Measurement = {
  name: 'fan-out',
  title: 'A command reaches 200 listeners',
  baseline: 'raw ws',
  measure: async () => [],
}

function makeRun(value: number, date = '2026-01-02T03:04:05.000Z'): StoredRun {
  return {
    date,
    commit: 'abc1234',
    machine: { cores: 2, memoryGb: 8, node: 'v24.0.0' },
    figures: [{ name: 'arrival p99', unit: 'ms', value, baseline: 2, goal: 10 }],
  }
}

describe('the table of a measurement', () => {
  it('shows the figure, the baseline and their ratio beside those of the last run', () => {
    const row = drawTable(measurement, makeRun(5), makeRun(3))
      .split('\n')
      .find((line) => line.startsWith('arrival'))
    expect(row?.trim().split(/\s{2,}/)).toEqual([
      'arrival p99 (ms)',
      '5.00',
      '2.00',
      '2.50',
      '3.00',
      '2.00',
      '1.50',
      '<= 10.0 met',
    ])
  })

  it('says when a goal was missed, and when there is nothing to compare with', () => {
    const table = drawTable(measurement, makeRun(10.1), null)
    expect(table).toContain('<= 10.0 MISSED')
    expect(table).toContain('last run: none')
  })

  it('says when the last run was on another machine', () => {
    const last = { ...makeRun(3), machine: { cores: 8, memoryGb: 32, node: 'v24.0.0' } }
    expect(drawTable(measurement, makeRun(5), last)).toContain(
      '2026-01-02 03:04 UTC, commit abc1234, 8 cores, 32 GB',
    )
    expect(drawTable(measurement, makeRun(5), makeRun(3))).toContain('same machine')
  })

  it('writes numbers with three digits that mean something', () => {
    expect([0.0625, 1.005, 12.34, 1234.5, -12.34].map(drawNumber)).toEqual([
      '0.06',
      '1.00',
      '12.3',
      '1235',
      '-12.3',
    ])
  })
})

describe('the stored runs', () => {
  it('are read with the baseline under its earlier name as well', () => {
    const stored = { ...makeRun(5), figures: [{ name: 'a', unit: 'ms', value: 5, yardstick: 2 }] }
    const [old, recent] = parseRuns(JSON.stringify([stored, makeRun(5)]))
    expect(old?.figures).toEqual([{ name: 'a', unit: 'ms', value: 5, baseline: 2 }])
    expect(recent).toEqual(makeRun(5))
  })

  it('are the first and the latest nine', () => {
    let runs: StoredRun[] = []
    for (let value = 1; value <= 12; value += 1) runs = appendRun(runs, makeRun(value))
    expect(runs.map((run) => run.figures[0]?.value)).toEqual([1, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })

  it('say of the machine how many cores and how much memory it has and which Node, and no more', () => {
    const run = describeRun([{ name: 'a', unit: 'ms', value: 1 / 3 }], new Date(0))
    expect(run.figures[0]?.value).toBe(0.333)
    expect(Object.keys(run.machine)).toEqual(['cores', 'memoryGb', 'node'])
    expect(run.date).toBe('1970-01-01T00:00:00.000Z')
  })
})

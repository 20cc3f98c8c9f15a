/** One figure of a measurement. */
export interface Figure {
  name: string
  unit: 'ms' | 'kB' | 'MB' | '%' | 'per s' | ''
  value: number
  /** The baseline's figure, measured in the same run. */
  baseline?: number
  /** The upper bound to meet. */
  goal?: number
  /** The figure of each of several runs, where `value` is that of all of them together; null where a run has none. */
  runs?: (number | null)[]
}

/** Logs progress. */
export type Log = (line: string) => void

export interface MeasureOptions {
  /** How many independent runs each recorded scenario takes; null: its default. */
  runs: number | null
}

/** A measurement of `npm run bench`. */
export interface Measurement {
  /** Its name on the command line and of its file in `results/`. */
  name: string
  title: string
  /** Describes the baseline; null where the goals suffice. */
  baseline: string | null
  /** Takes minutes: runs only when named. */
  isLong?: boolean
  /** Measures, and logs its progress. Rejects where it cannot measure. */
  measure(log: Log, options: MeasureOptions): Promise<Figure[]>
}

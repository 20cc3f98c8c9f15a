/** One figure of a measurement. */
export interface Figure {
  name: string
  unit: 'ms' | 'kB' | '%' | 'per s' | ''
  value: number
  /** The same figure of what it is compared with, measured in the same run. */
  baseline?: number
  /** What the figure should not exceed. */
  goal?: number
}

/** Something that `npm run bench` measures. */
export interface Measurement {
  /** What it is called on the command line, and its results in `results/`. */
  name: string
  title: string
  /** What its figures are compared with, or null where a goal says enough. */
  baseline: string | null
  /** Takes minutes: runs only where it is named. */
  isLong?: boolean
  /** Measures. `log` tells whoever waits what is going on. Rejects where nothing could be measured. */
  measure(log: (line: string) => void): Promise<Figure[]>
}

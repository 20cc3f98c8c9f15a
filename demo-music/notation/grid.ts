/** A moment of silence before the first beat, so that a fade cannot blunt it. */
export const leadInSeconds = 0.08

export interface GridSettings {
  /** Quarter notes a minute. */
  tempo: number
  bars: number
  /** Sixteenths a bar: 16 in 4/4, 12 in 3/4. */
  stepsPerBar?: number
  /** Where the second sixteenth of a pair falls: 0.5 is straight, 0.67 a triplet. */
  swing?: number
  /** Tempo of a bar relative to `tempo`: for breathing and slowing down. */
  pace?: (bar: number) => number
}

/** Turns bars and sixteenths into seconds. */
export interface Grid {
  readonly bars: number
  readonly stepsPerBar: number
  /** The length of a sixteenth at the nominal tempo. */
  readonly stepSeconds: number
  /** The instant of a step; steps beyond the bar run on into the next ones, and may be fractions. */
  at(bar: number, step?: number): number
}

export function createGrid(settings: GridSettings): Grid {
  const stepsPerBar = settings.stepsPerBar ?? 16
  const stepSeconds = 60 / settings.tempo / 4
  const swingDelay = ((settings.swing ?? 0.5) - 0.5) * 2
  const starts = [leadInSeconds]
  for (let bar = 0; bar <= settings.bars; bar += 1) {
    starts.push((starts[bar] ?? 0) + (stepsPerBar * stepSeconds) / (settings.pace?.(bar) ?? 1))
  }
  return {
    bars: settings.bars,
    stepsPerBar,
    stepSeconds,
    at(bar, step = 0) {
      const swung = step % 2 === 1 ? step + swingDelay : step
      const total = bar * stepsPerBar + swung
      const index = Math.min(Math.floor(total / stepsPerBar), settings.bars)
      const from = starts[index] ?? 0
      const length = (starts[index + 1] ?? 0) - from
      return from + (length * (total - index * stepsPerBar)) / stepsPerBar
    },
  }
}

import { type Logger, pino } from 'pino'

export interface LogLine {
  level: number
  msg: string
  [field: string]: unknown
}

/** Creates a logger that keeps its lines for the test. */
export function captureLog(level = 'info'): { logger: Logger; lines: LogLine[] } {
  const lines: LogLine[] = []
  const logger = pino({ level }, { write: (line: string) => lines.push(JSON.parse(line) as LogLine) })
  return { logger, lines }
}

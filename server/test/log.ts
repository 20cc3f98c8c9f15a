import { type Logger, pino } from 'pino'

export interface LogLine {
  level: number
  msg: string
  [field: string]: unknown
}

/** A logger, and the lines that were written to it. */
export function captureLog(level = 'info'): { logger: Logger; lines: LogLine[] } {
  const lines: LogLine[] = []
  const logger = pino({ level }, { write: (line: string) => lines.push(JSON.parse(line) as LogLine) })
  return { logger, lines }
}

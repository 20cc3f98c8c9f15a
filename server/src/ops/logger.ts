import { type Logger, pino } from 'pino'

/** Lines for people on a terminal, JSON for everything else. Both on standard output, written before they are answered. */
export async function createLogger(level: string): Promise<Logger> {
  if (!process.stdout.isTTY) return pino({ level, base: null })
  const { PinoPretty } = await import('pino-pretty')
  return pino(
    { level, base: null },
    PinoPretty({ sync: true, translateTime: 'SYS:HH:MM:ss', singleLine: true }),
  )
}

import { type DestinationStream, type Logger, type LoggerOptions, destination, pino } from 'pino'

/** Lines that wait for room, in characters; further ones are dropped. */
const waitingMax = 1_000_000

/** Fields of errors that hold data: the arguments of a Redis command, and the row that PostgreSQL quotes. */
const dataOfErrors = ['command.args', 'detail', 'where']

const errorPaths = ['err', 'err.aggregateErrors[*]', 'err.previousErrors[*]']

/**
 * Creates a logger that writes readable lines to a terminal and JSON to anything else, synchronously. Errors are logged
 * without the data that they carry.
 */
export async function createLogger(level: string, output = openLogOutput()): Promise<Logger> {
  const paths = errorPaths.flatMap((error) => dataOfErrors.map((path) => `${error}.${path}`))
  const options: LoggerOptions = { level, base: null, redact: { paths, remove: true } }
  if (!process.stdout.isTTY) return pino(options, output)
  const { prettyFactory } = await import('pino-pretty')
  const format = prettyFactory({ translateTime: 'SYS:HH:MM:ss', singleLine: true })
  return pino(options, { write: (line) => output.write(format(line)) })
}

/**
 * Opens standard output for the log. It never throws and never waits: what cannot be written, such as on a full disk
 * or to a reader that stalls, waits for the next line. Without `flushSync`, by which a fatal error would wait for
 * room for ever.
 */
function openLogOutput(): DestinationStream {
  const output = destination({ sync: true, maxLength: waitingMax, retryEAGAIN: () => false })
  output.on('error', () => {
    // There is no other place for it.
  })
  // A line that is dropped would not make what waits before it be written, however much room there is by then.
  output.on('drop', () => void output.write(''))
  return { write: (line) => void output.write(line) }
}

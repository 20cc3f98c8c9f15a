import { type DestinationStream, destination } from 'pino'

/** Lines that wait for room, in characters; further ones are dropped. */
const waitingMax = 1_000_000

/**
 * Opens standard output for the log. It never throws and never waits: what cannot be written, such as on a full disk or to a reader
 * that stalls, waits for the next line. Without `flushSync`, by which a fatal error would wait for room for ever.
 */
export function openLogOutput(): DestinationStream {
  const output = destination({ sync: true, maxLength: waitingMax, retryEAGAIN: () => false })
  output.on('error', () => {
    // There is no other place for it.
  })
  return { write: (line) => void output.write(line) }
}

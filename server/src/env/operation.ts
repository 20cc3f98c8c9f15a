import { dayMs } from '@earshot/core/clock'
import { z } from 'zod'
import { serverLimits } from '../server-limits.ts'
import { variable, wholeNumber } from './variable.ts'
import { otherRates } from '../limits/rates.ts'

/** The variables for running a server for years: connections, retention, monitoring. */
export const operationVariables = {
  DATABASE_POOL_SIZE: wholeNumber(1, 1_000),
  DATABASE_STATEMENT_TIMEOUT_S: wholeNumber(0, 3_600, ' (0: none)'),
  DATABASE_KEEP_ALIVE_S: wholeNumber(0, 3_600, ' (0: off)'),
  KEEP_MESSAGES_DAYS: wholeNumber(1, 36_500),
  KEEP_HISTORY_DAYS: wholeNumber(1, 36_500),
  KEEP_IDLE_ROOMS_DAYS: wholeNumber(1, 36_500),
  KEEP_OUTBOX_DAYS: wholeNumber(1, 36_500),
  DISK_RESERVE_MB: wholeNumber(0, 100_000_000),
  DRAIN_S: wholeNumber(0, 300),
  PEOPLE_PER_ADDRESS: wholeNumber(1, 100_000),
  SOCKETS_PER_ADDRESS: wholeNumber(1, 1_000_000),
  GUESTS_PER_ADDRESS: wholeNumber(1, 1_000_000),
  /** Set by `npm start` and in packages. */
  EARSHOT_COMMIT: variable(z.string().regex(/^[0-9a-f]{7,64}$/), 'the hash of a commit'),
  METRICS_TOKEN: variable(
    z.string().regex(/^[\x21-\x7e]{16,200}$/),
    '16 to 200 printable characters without spaces',
  ),
}

const given = z.object(operationVariables)

/** Converts the variables; null in `retention` keeps everything. */
export function toOperation(values: z.output<typeof given>) {
  const addressScale =
    (values.PEOPLE_PER_ADDRESS ?? serverLimits.peoplePerAddress) / serverLimits.peoplePerAddress
  const scaled = (byDefault: number): number => Math.ceil(byDefault * addressScale)
  return {
    pool: {
      size: values.DATABASE_POOL_SIZE ?? 20,
      /** 0 for none. */
      statementTimeoutMs: (values.DATABASE_STATEMENT_TIMEOUT_S ?? 30) * 1_000,
      /** The silence after which a connection is probed; 0 for never. */
      keepAliveMs: (values.DATABASE_KEEP_ALIVE_S ?? 30) * 1_000,
    },
    retention: {
      messagesMs: toMs(values.KEEP_MESSAGES_DAYS),
      historyMs: toMs(values.KEEP_HISTORY_DAYS),
      idleRoomsMs: toMs(values.KEEP_IDLE_ROOMS_DAYS),
      outboxMs: toMs(values.KEEP_OUTBOX_DAYS),
    },
    /** Free space in the data folder below which the server is not ready. */
    diskReserveBytes: (values.DISK_RESERVE_MB ?? 16) * 1024 * 1024,
    /** How long the server serves on after a signal to end, while `/readyz` fails. */
    drainMs: (values.DRAIN_S ?? 0) * 1_000,
    /** How many times more people may share an address than by default. */
    addressScale,
    /** Realtime connections with a session that one address may have at a time. */
    socketsPerAddress: values.SOCKETS_PER_ADDRESS ?? scaled(serverLimits.socketsPerAddress),
    /** New guests of one address in 10 minutes. */
    guestsPerAddress: values.GUESTS_PER_ADDRESS ?? scaled(otherRates.guests.points),
    /** Of the running version; null where it is not known. */
    commit: values.EARSHOT_COMMIT ?? null,
    /** Null: metrics are served to this machine only. */
    metricsToken: values.METRICS_TOKEN ?? null,
  }
}

export type Retention = ReturnType<typeof toOperation>['retention']

function toMs(days: number | undefined): number | null {
  return days === undefined ? null : days * dayMs
}

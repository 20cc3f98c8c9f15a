import { setTimeout as delay } from 'node:timers/promises'
import type { Load } from './load.ts'
import type { Recording } from './load-tasks.ts'
import { monotonicMs } from './monotonic.ts'

/** Sends commands that reach a group of connections: the owner of a room, or the baseline's sender. */
export interface CommandSource {
  /** Which connections of the load listen. */
  group: string
  listeners: number
  /** Commands once; resolves to the sequence number of the change when the server acknowledges it. */
  command(index: number): Promise<number>
}

/** The latencies of a round of commands, ms. */
export interface Round {
  /** From the command to its acknowledgement, one a command. */
  acknowledgedMs: number[]
  /** From the command to its arrival, one a command and listener. */
  arrivedMs: number[]
  /** From the command to its arrival at the last of the listeners, one a command. */
  receivedByAllMs: number[]
  bytes: number
}

/** Wait for late arrivals at the end of a round. */
const stragglersMs = 300

/** Sends commands at a fixed interval and records when each is acknowledged and when it arrives at each listener. */
export async function runRound(
  load: Load,
  source: CommandSource,
  pace: { commands: number; everyMs: number },
): Promise<Round> {
  const { group } = source
  const sentAtMs = new Map<number, number>()
  await load.run('startRecording', { group })
  const acknowledgedMs = await runAtInterval(pace.commands, pace.everyMs, async (index) => {
    const sentMs = monotonicMs()
    const sequenceNumber = await source.command(index)
    sentAtMs.set(sequenceNumber, sentMs)
    return monotonicMs() - sentMs
  })
  await delay(stragglersMs)
  const recording = await load.run('stopRecording', { group })
  return { acknowledgedMs, ...measureArrivals(recording, sentAtMs, source.listeners), bytes: recording.bytes }
}

/** @throws Error where a listener missed a command: figures without it would be too good */
export function measureArrivals(
  recording: Pick<Recording, 'sequenceNumbers' | 'arrivedAtMs'>,
  sentAtMs: ReadonlyMap<number, number>,
  listeners: number,
): Pick<Round, 'arrivedMs' | 'receivedByAllMs'> {
  const arrivedMs: number[] = []
  const lastMs = new Map<number, number>()
  recording.sequenceNumbers.forEach((sequenceNumber, index) => {
    const sentMs = sentAtMs.get(sequenceNumber)
    if (sentMs === undefined) return
    const elapsedMs = (recording.arrivedAtMs[index] ?? 0) - sentMs
    arrivedMs.push(elapsedMs)
    lastMs.set(sequenceNumber, Math.max(lastMs.get(sequenceNumber) ?? 0, elapsedMs))
  })
  const expected = sentAtMs.size * listeners
  if (arrivedMs.length !== expected) {
    throw new Error(`${arrivedMs.length} of ${expected} arrivals were noted`)
  }
  return { arrivedMs, receivedByAllMs: [...lastMs.values()] }
}

/** Puts rounds together. */
export function joinRounds(rounds: Round[]): Round {
  return {
    acknowledgedMs: rounds.flatMap((round) => round.acknowledgedMs),
    arrivedMs: rounds.flatMap((round) => round.arrivedMs),
    receivedByAllMs: rounds.flatMap((round) => round.receivedByAllMs),
    bytes: rounds.reduce((sum, round) => sum + round.bytes, 0),
  }
}

/** Runs rounds of each source in turn (A B A B), so that drift of the machine affects all alike. */
export async function alternateRounds(
  load: Load,
  sources: CommandSource[],
  pace: { rounds: number; commands: number; everyMs: number },
): Promise<Round[]> {
  const rounds = sources.map((): Round[] => [])
  for (let round = 0; round < pace.rounds; round += 1) {
    for (const [index, source] of sources.entries()) rounds[index]?.push(await runRound(load, source, pace))
  }
  return rounds.map(joinRounds)
}

/**
 * Runs `work` `count` times, one every `everyMs`, whether or not the earlier ones are done: slow work queues up.
 * Resolves when all are done.
 */
export async function runAtInterval<Result>(
  count: number,
  everyMs: number,
  work: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const startedAt = performance.now()
  const running: Promise<Result>[] = []
  for (let index = 0; index < count; index += 1) {
    const waitMs = startedAt + index * everyMs - performance.now()
    if (waitMs > 0) await delay(waitMs)
    running.push(work(index))
  }
  return await Promise.all(running)
}

/**
 * Sends commands until `endsAtMs` of the process's clock, each when the one before is acknowledged, and at the
 * earliest `leastMs` after it was sent. Resolves to their number.
 */
export async function commandInTurn(
  source: CommandSource,
  { leastMs, endsAtMs }: { leastMs: number; endsAtMs: number },
): Promise<number> {
  let count = 0
  for (let dueAtMs = performance.now(); dueAtMs < endsAtMs; count += 1) {
    await delay(Math.max(0, dueAtMs - performance.now()))
    dueAtMs = performance.now() + leastMs
    await source.command(count)
  }
  return count
}

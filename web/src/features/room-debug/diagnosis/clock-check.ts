import type { ClockFacts } from '@earshot/core/diagnosis/facts'
import { limits } from '@earshot/core/limits'
import type { ServerClock } from '../../../engine/debug-access.ts'

/**
 * Sends a handful of probes over the connection there is. What has not come back when the signal says that the time is
 * up counts as lost.
 */
export async function probeClock(
  clock: Pick<ServerClock, 'probe'>,
  timeIsUp: AbortSignal,
): Promise<Pick<ClockFacts, 'probesSent' | 'roundTripsMs'>> {
  const { probeCount, probeGapMs } = limits.diagnosis
  const roundTripsMs: number[] = []
  const probe = async () => {
    const rttMs = await clock.probe()
    if (rttMs !== null) roundTripsMs.push(Math.max(0, rttMs))
  }
  const answers: Promise<void>[] = []
  while (answers.length < probeCount) {
    answers.push(probe())
    await new Promise((resolve) => setTimeout(resolve, probeGapMs))
  }
  const end = new Promise((resolve) => timeIsUp.addEventListener('abort', resolve, { once: true }))
  await Promise.race([Promise.all(answers), end])
  return { probesSent: answers.length, roundTripsMs: [...roundTripsMs] }
}

import { limits } from '@earshot/core/limits'

/** What `look` finds, or the fallback where it fails or takes too long: a diagnosis itself never does. */
export async function withinTime<Found>(
  look: (signal: AbortSignal) => Promise<Found>,
  fallback: Found,
): Promise<Found> {
  const timeout = AbortSignal.timeout(limits.diagnosis.stepTimeoutMs)
  const gaveUp = new Promise<Found>((resolve) => {
    timeout.addEventListener('abort', () => resolve(fallback), { once: true })
  })
  return Promise.race([look(timeout).catch(() => fallback), gaveUp])
}

/**
 * Firefox that resists fingerprinting, such as Tor Browser and LibreWolf, rounds the page's clock to multiples of
 * this, ms.
 */
const coarseStepMs = 16.667

/** Returns the step of the page's clock if it is that coarse; 0 for a finer one, which hardly ever is at such a multiple. */
export function readCoarseStep(): number {
  const steps = performance.now() / coarseStepMs
  return Math.abs(steps - Math.round(steps)) < 1e-6 ? coarseStepMs : 0
}

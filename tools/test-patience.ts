import { vi } from 'vitest'

/** The defaults of `vi.waitFor` in our tests: its own, 1 s, fails on a busy machine. */
const patience = { timeout: 60_000, interval: 10 }

const { waitFor } = vi
// Files of one worker share `vi`.
if (waitFor.name !== 'waitPatiently') {
  vi.waitFor = function waitPatiently(callback, options) {
    const given = typeof options === 'number' ? { timeout: options } : options
    return waitFor(callback, { ...patience, ...given })
  }
}

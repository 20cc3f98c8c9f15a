import { onTestFinished, vi } from 'vitest'

/** Stops the windows of the limits in this process for the rest of a test, so that a busy machine does not outlast them. */
export function freezeWindows(): void {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

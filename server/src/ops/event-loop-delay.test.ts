import { expect, it, onTestFinished, vi } from 'vitest'
import { watchEventLoop } from './server-figures.ts'

const blockedMs = 150

/** Keeps the event loop busy. */
function block(): void {
  const endMs = performance.now() + blockedMs
  while (performance.now() < endMs);
}

it('17.307 a blocked event loop shows in the delay that administrators see', async () => {
  const readDelayMs = watchEventLoop()
  const blocking = setInterval(block, blockedMs)
  onTestFinished(() => clearInterval(blocking))
  // A reading starts anew, so each needs some turns of the loop.
  await vi.waitFor(() => expect(readDelayMs()).toBeGreaterThan(blockedMs / 2), { interval: 1_000 })
})

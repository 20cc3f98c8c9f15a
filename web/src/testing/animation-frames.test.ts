import { expect, it, onTestFinished, vi } from 'vitest'

it('frames go on after a focused page changed while timers were fake', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const button = document.body.appendChild(document.createElement('button'))
  onTestFinished(() => button.remove())
  button.focus()
  button.textContent = 'changed'
  vi.useRealTimers()
  const frame = vi.fn<FrameRequestCallback>()
  requestAnimationFrame(frame)
  await expect.poll(() => frame.mock.calls.length).toBe(1)
})

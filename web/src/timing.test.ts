import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDueTimer, delay, linkedSignal } from './timing.ts'
import { wallNow } from './wall-clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a due timer', () => {
  it('acts once, at the instant it was set to last', () => {
    const act = vi.fn<() => void>()
    const setTimer = createDueTimer(act)
    setTimer(wallNow() + 1_000)
    setTimer(wallNow() + 2_000)
    vi.advanceTimersByTime(1_990)
    expect(act).not.toHaveBeenCalled()
    vi.advanceTimersByTime(20)
    expect(act).toHaveBeenCalledOnce()
    setTimer(wallNow() - 5)
    vi.advanceTimersByTime(1)
    expect(act).toHaveBeenCalledTimes(2)
    setTimer(wallNow() + 1_000)
    setTimer(null)
    vi.advanceTimersByTime(10_000)
    expect(act).toHaveBeenCalledTimes(2)
  })
})

describe('delay', () => {
  it('resolves when the time is over, and at once without any left', async () => {
    const onOver = vi.fn<() => void>()
    void delay(1_000).then(onOver)
    await vi.advanceTimersByTimeAsync(999)
    expect(onOver).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(onOver).toHaveBeenCalledOnce()
    void delay(-5).then(onOver)
    await vi.advanceTimersByTimeAsync(0)
    expect(onOver).toHaveBeenCalledTimes(2)
  })

  it('rejects with the reason of its signal, and leaves no timer', async () => {
    const leaving = new AbortController()
    const failure = delay(1_000, leaving.signal).catch((error: unknown) => error)
    leaving.abort(new Error('left'))
    expect(await failure).toMatchObject({ message: 'left' })
    await expect(delay(1_000, leaving.signal)).rejects.toThrow('left')
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('linkedSignal', () => {
  it('aborts with the reason of the outer signal, also of one that is aborted already', () => {
    const leaving = new AbortController()
    const { signal } = linkedSignal(leaving.signal, 1_000)
    expect(signal.aborted).toBe(false)
    leaving.abort('left')
    expect(signal.reason).toBe('left')
    expect(linkedSignal(leaving.signal, 1_000).signal.reason).toBe('left')
  })

  it('aborts with a TimeoutError when the time is over, and never after its release', () => {
    const late = linkedSignal(null, 1_000)
    const leaving = new AbortController()
    const released = linkedSignal(leaving.signal, 1_000)
    released.release()
    vi.advanceTimersByTime(1_000)
    leaving.abort('left')
    expect(late.signal.reason).toMatchObject({ name: 'TimeoutError' })
    expect(released.signal.aborted).toBe(false)
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DeviceContext } from '../../testing/device-context.ts'

/** Watches the context of a page that was just loaded, while a player sounds. */
async function openWatch() {
  vi.resetModules()
  const { SharedAudioContext } = await import('./audio-context.ts')
  const { RenderWatch } = await import('./render-watch.ts')
  const open = () => {
    const device = new DeviceContext()
    const calls: string[] = []
    device.suspend = async () => void calls.push('suspend')
    device.resume = async () => void calls.push('resume')
    device.close = async () => void calls.push('close')
    const shared = new SharedAudioContext(device as unknown as AudioContext)
    const dead = vi.fn<() => void>()
    const watch = new RenderWatch(shared, dead)
    watch.start()
    return { device, calls, dead, watch }
  }
  return { ...open(), open }
}

beforeEach(() => vi.useFakeTimers({ now: 1_795_000_000_000 }))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('17.417 a context whose clock stands still while a player sounds', () => {
  it('is suspended and resumed once, and given up after 5 s', async () => {
    const { device, calls, dead } = await openWatch()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(calls).toEqual([])
    device.die()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(calls).toEqual(['suspend', 'resume'])
    await vi.advanceTimersByTimeAsync(3_000)
    expect(calls).toEqual(['suspend', 'resume', 'close'])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(dead).toHaveBeenCalledOnce()
  })

  it('is kept where that revives it', async () => {
    const { device, dead } = await openWatch()
    device.die()
    device.resume = async () => device.goOn()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(dead).not.toHaveBeenCalled()
  })

  it('is given up where its device failed, also before, and it stays suspended', async () => {
    const { device, dead, watch } = await openWatch()
    watch.stop()
    device.interrupt('suspended')
    device.dispatchEvent(new Event('error'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(dead).not.toHaveBeenCalled()
    watch.start()
    await vi.advanceTimersByTimeAsync(6_000)
    expect(dead).toHaveBeenCalledOnce()
  })

  it('is given up ever later where the ones before it were dead from the start, up to 30 s', async () => {
    const { device, dead, open } = await openWatch()
    await vi.advanceTimersByTimeAsync(2_000)
    device.die()
    await vi.advanceTimersByTimeAsync(6_000)
    expect(dead).toHaveBeenCalledOnce()
    const waits: number[] = []
    for (let turn = 0; turn < 5; turn += 1) {
      const next = open()
      vi.spyOn(next.device, 'currentTime', 'get').mockReturnValue(0)
      next.watch.stop()
      next.watch.start()
      let seconds = 0
      for (; next.dead.mock.calls.length === 0; seconds += 1) await vi.advanceTimersByTimeAsync(1_000)
      waits.push(seconds)
    }
    expect(waits).toEqual([5, 10, 20, 30, 30])
  })
})

describe('17.417 a context is left alone', () => {
  it.each(['suspended', 'interrupted'])('while it is %s', async (state) => {
    const { device, calls } = await openWatch()
    device.interrupt(state)
    calls.length = 0
    await vi.advanceTimersByTimeAsync(60_000)
    expect(calls).toEqual([])
  })

  it('on a hidden page, until it is seen', async () => {
    const { device, calls, dead } = await openWatch()
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    device.die()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(calls).toEqual([])
    hidden.mockReturnValue(false)
    await vi.advanceTimersByTimeAsync(6_000)
    expect(dead).toHaveBeenCalledOnce()
  })

  it('where its looks come late, as of a page that is stopped again and again', async () => {
    const inTime = setInterval
    vi.stubGlobal('setInterval', (run: () => void, ms: number) => inTime(run, 2 * ms))
    const { device, calls } = await openWatch()
    vi.unstubAllGlobals()
    device.die()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(calls).toEqual([])
  })

  it('while nothing is to sound', async () => {
    const { device, calls, watch } = await openWatch()
    watch.stop()
    device.die()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(calls).toEqual([])
  })
})

describe('17.417 a gesture of the user', () => {
  it('gives up a suspended context that an earlier one could not resume', async () => {
    const { device, dead, watch } = await openWatch()
    device.interrupt('suspended')
    watch.onGesture()
    await vi.advanceTimersByTimeAsync(2_000)
    watch.onGesture()
    expect(dead).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(4_000)
    watch.onGesture()
    expect(dead).toHaveBeenCalledOnce()
  })

  it('keeps one that has run since', async () => {
    const { device, dead, watch } = await openWatch()
    device.interrupt('suspended')
    watch.onGesture()
    device.goOn()
    await vi.advanceTimersByTimeAsync(60_000)
    device.interrupt('suspended')
    watch.onGesture()
    expect(dead).not.toHaveBeenCalled()
  })
})

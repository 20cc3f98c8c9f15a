import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SharedAudioContext } from './audio-context.ts'

/** The part of the browser's audio context that depends on the device; jsdom has none. */
class DeviceContext extends EventTarget {
  state = 'suspended'
  isAllowed = true

  resume(): Promise<void> {
    if (this.isAllowed) this.change('running')
    return this.isAllowed ? Promise.resolve() : new Promise(() => undefined)
  }

  suspend(): Promise<void> {
    this.change('suspended')
    return Promise.resolve()
  }

  change(state: string): void {
    if (state === this.state) return
    this.state = state
    this.dispatchEvent(new Event('statechange'))
  }
}

function openContext() {
  const device = new DeviceContext()
  const shared = new SharedAudioContext(device as unknown as AudioContext)
  return { device, shared }
}

const show = (visibility: 'visible' | 'hidden') => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(visibility === 'hidden')
  document.dispatchEvent(new Event('visibilitychange'))
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe("the page's audio context", () => {
  it('12.20a is suspended 30 s after a pause, and resumed by the next start', () => {
    const { device, shared } = openContext()
    const use = shared.use()
    use.play()
    vi.advanceTimersByTime(3_600_000)
    expect(device.state).toBe('running')
    use.rest()
    vi.advanceTimersByTime(29_999)
    expect(device.state).toBe('running')
    vi.advanceTimersByTime(1)
    expect(device.state).toBe('suspended')
    use.play()
    expect(device.state).toBe('running')
  })

  it('12.20a stays running where a start follows the pause within 30 s', () => {
    const { device, shared } = openContext()
    const use = shared.use()
    use.play()
    use.rest()
    vi.advanceTimersByTime(20_000)
    use.play()
    vi.advanceTimersByTime(60_000)
    expect(device.state).toBe('running')
  })

  it('12.20b is running when a loaded track may start soon', () => {
    const { device, shared } = openContext()
    const use = shared.use()
    use.warmUp()
    expect(device.state).toBe('running')
    vi.advanceTimersByTime(30_000)
    expect(device.state).toBe('suspended')
  })

  it('17.91 runs from the click that allows it, so that its output settles while the room loads', () => {
    const { device, shared } = openContext()
    shared.resume()
    vi.advanceTimersByTime(29_000)
    expect(device.state).toBe('running')
    vi.advanceTimersByTime(1_000)
    expect(device.state).toBe('suspended')
  })

  it('12.20a is not suspended by one player while another one plays', () => {
    const { device, shared } = openContext()
    const [first, second] = [shared.use(), shared.use()]
    first.play()
    second.play()
    first.end()
    vi.advanceTimersByTime(60_000)
    expect(device.state).toBe('running')
    second.end()
    vi.advanceTimersByTime(2_000)
    expect(device.state).toBe('suspended')
  })

  it('12.20c is resumed after an interruption, and when the page becomes visible', () => {
    const { device, shared } = openContext()
    shared.use().play()
    device.isAllowed = false
    device.change('interrupted')
    expect(device.state).toBe('interrupted')
    device.isAllowed = true
    device.change('suspended')
    expect(device.state).toBe('running')

    show('hidden')
    device.isAllowed = false
    device.change('interrupted')
    device.isAllowed = true
    show('visible')
    expect(device.state).toBe('running')
  })

  describe('on iOS', () => {
    beforeEach(() => {
      Object.defineProperty(navigator, 'audioSession', { value: { type: 'auto' }, configurable: true })
    })
    afterEach(() => Reflect.deleteProperty(navigator, 'audioSession'))

    it('17.371 stays suspended where the system suspended it, until it is used again', () => {
      const { device, shared } = openContext()
      const use = shared.use()
      use.play()
      device.change('suspended')
      expect([device.state, shared.isPausedBySystem]).toEqual(['suspended', true])
      use.play()
      expect([device.state, shared.isPausedBySystem]).toEqual(['running', false])
    })

    it('17.371 is resumed after a call, and by a start while it suspends itself', () => {
      const { device, shared } = openContext()
      const use = shared.use()
      use.play()
      device.isAllowed = false
      device.change('interrupted')
      device.isAllowed = true
      device.change('suspended')
      expect([device.state, shared.isPausedBySystem]).toEqual(['running', false])

      use.rest()
      device.suspend = () => Promise.resolve()
      vi.advanceTimersByTime(30_000)
      use.play()
      device.change('suspended')
      expect([device.state, shared.isPausedBySystem]).toEqual(['running', false])
    })
  })

  it('12.20c stays suspended in a paused room when the page becomes visible', () => {
    const { device, shared } = openContext()
    const use = shared.use()
    use.play()
    use.rest()
    vi.advanceTimersByTime(30_000)
    show('hidden')
    show('visible')
    expect(device.state).toBe('suspended')
  })
})

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { wallNow } from '../../../realtime/server-clock.ts'
import { AudioOutput, meanLevels } from './audio-output.ts'
import { SharedAudioContext } from './audio-context.ts'
import { readLatency } from './latency-memory.ts'
import { lateAt } from './start-response.ts'

/** The part of an audio context that depends on the device; jsdom has none. Its sound is heard `latencyMs` later. */
class DeviceContext extends EventTarget {
  state = 'running'
  readonly sampleRate = 48_000
  readonly baseLatency = 0.01
  readonly outputLatency = 0.04
  readonly destination = {}
  latencyMs = 40
  /** How far PulseAudio's first measurement of the stream is off. */
  firstErrorMs = 0
  /** The time that the context did not run. */
  #pausedMs = 0
  #stoppedAtMs: number | null = null
  #startedAt = 0

  get currentTime(): number {
    return Math.max(0, (this.#stoppedAtMs ?? performance.now()) - this.#pausedMs) / 1_000
  }

  getOutputTimestamp() {
    const lateMs = this.firstErrorMs * lateAt(this.currentTime - this.#startedAt)
    const contextTime = Math.max(0, this.currentTime - (this.latencyMs + lateMs) / 1_000)
    return { contextTime, performanceTime: performance.now() }
  }

  createGain() {
    return {
      connect: () => undefined,
      disconnect: () => undefined,
      gain: { setTargetAtTime: () => undefined },
    }
  }

  resume = () => Promise.resolve()
  suspend = () => Promise.resolve()

  /** The whole process is stopped: nobody is told. */
  freeze(ms: number): void {
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + ms)
    this.#pausedMs += ms
  }

  interrupt(): void {
    this.#stoppedAtMs = performance.now()
    this.#change('interrupted')
  }

  goOn(): void {
    this.#startedAt = this.currentTime
    this.#pausedMs += performance.now() - (this.#stoppedAtMs ?? performance.now())
    this.#stoppedAtMs = null
    this.#change('running')
  }

  #change(state: string): void {
    this.state = state
    this.dispatchEvent(new Event('statechange'))
  }
}

const opened: AudioOutput[] = []

function openOutput(device = new DeviceContext()) {
  const shared = new SharedAudioContext(device as unknown as AudioContext)
  const ready: boolean[] = []
  const shifts: number[] = []
  const output = new AudioOutput(
    (isReady) => ready.push(isReady),
    (frames) => shifts.push(frames),
    shared,
  )
  opened.push(output)
  return { device, output, ready, shifts }
}

/** How long after it was rendered the sound of now is heard, as the output maps it, ms. */
const mappedLatencyMs = (output: AudioOutput) =>
  output.context.currentTime * 1_000 - (output.frameAt(wallNow()) ?? NaN) / 48

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers({ now: 1_795_000_000_000 })
  vi.advanceTimersByTime(1_000)
})
afterEach(() => {
  for (const output of opened.splice(0)) output.close()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

it('12.20c an interruption makes the output not ready, and it is measured anew when the context runs again', async () => {
  const { device, output, ready, shifts } = openOutput()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(ready).toEqual([true])
  expect(mappedLatencyMs(output)).toBeCloseTo(40, 0)

  device.interrupt()
  expect(ready).toEqual([true, false])
  expect(output.frameAt(wallNow())).toBeNull()
  await vi.advanceTimersByTimeAsync(60_000)

  // The call ended, and the sound goes to another device now.
  device.latencyMs = 180
  device.goOn()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(ready).toEqual([true, false, true])
  expect(mappedLatencyMs(output)).toBeCloseTo(180, 0)
  expect(shifts).toEqual([])
})

it('10.20 a change of the device while it plays is followed, and passed on as a shift', async () => {
  const { device, output, shifts } = openOutput()
  await vi.advanceTimersByTimeAsync(20_000)
  device.latencyMs = 160
  await vi.advanceTimersByTimeAsync(5_000)
  expect(mappedLatencyMs(output)).toBeCloseTo(160, 0)
  expect(shifts.reduce((sum, frames) => sum + frames, 0) / 48).toBeCloseTo(120, -1)
})

it('17.150 what plays is moved once the drift of its stream shows, by what it is heard earlier or later', () => {
  const { device, output, shifts } = openOutput()
  vi.advanceTimersByTime(5_000)
  device.interrupt()
  device.firstErrorMs = 6
  device.goOn()
  vi.advanceTimersByTime(500)
  expect(mappedLatencyMs(output)).toBeGreaterThan(43)
  vi.advanceTimersByTime(700)
  expect(mappedLatencyMs(output)).toBeCloseTo(40, 0)
  expect(shifts).toHaveLength(1)
  expect((shifts[0] ?? 0) / 48).toBeLessThan(-1)
  expect((shifts[0] ?? 0) / 48).toBeGreaterThan(-4)
})

it('17.90 a run that has settled is remembered once, and one that was too short is not', async () => {
  const { device, output } = openOutput()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(readLatency(output.context, Date.now())).toBeNull()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(readLatency(output.context, Date.now())).toBeCloseTo(40, 0)
  localStorage.clear()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(readLatency(output.context, Date.now())).toBeNull()
  device.interrupt()
  device.goOn()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(readLatency(output.context, Date.now())).toBeCloseTo(40, 0)
})

it('a closed output reads nothing any more', async () => {
  const { device, output } = openOutput()
  const read = vi.spyOn(device, 'getOutputTimestamp')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(read.mock.calls.length).toBeGreaterThan(10)
  output.close()
  const before = read.mock.calls.length
  await vi.advanceTimersByTimeAsync(1_000)
  expect(read.mock.calls.length).toBe(before)
})

it('17.210 a new stream is first asked for its output right after a block, not before one is rendered', async () => {
  const device = new DeviceContext()
  const blockMs = 21
  const startsAtMs = performance.now() + 300
  const rendered = () => Math.max(0, Math.floor((performance.now() - startsAtMs) / blockMs)) * blockMs
  vi.spyOn(device, 'currentTime', 'get').mockImplementation(() => rendered() / 1_000)
  const askedAfterMs: number[] = []
  const stamp = device.getOutputTimestamp.bind(device)
  vi.spyOn(device, 'getOutputTimestamp').mockImplementation(() => {
    askedAfterMs.push(performance.now() - startsAtMs - rendered())
    return stamp()
  })
  openOutput(device)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(askedAfterMs.length).toBeGreaterThan(10)
  // The latency is 40 ms: the calls that state nothing yet are those of the first two blocks.
  expect(Math.max(...askedAfterMs.slice(0, 2))).toBeLessThan(5)
})

it('17.7 the levels are the means of four bands, and 0 in silence', () => {
  const bins = new Uint8Array(128)
  expect(meanLevels(bins)).toEqual([0, 0, 0, 0])
  bins.fill(255, 0, 2)
  bins.fill(255, 6, 12)
  expect(meanLevels(bins)).toEqual([1, 0, 0.5, 0])
})

it('15.49 after the process was stopped, the output is measured anew, and is not blocked', () => {
  const { device, output, ready, shifts } = openOutput()
  vi.advanceTimersByTime(5_000)
  expect(ready).toEqual([true])
  expect(mappedLatencyMs(output)).toBeCloseTo(40, 0)
  device.freeze(30_000)
  vi.advanceTimersByTime(100)
  expect(output.frameAt(wallNow())).toBeNull()
  vi.advanceTimersByTime(300)
  expect(mappedLatencyMs(output)).toBeCloseTo(40, 0)
  expect([ready, shifts]).toEqual([[true], []])
})

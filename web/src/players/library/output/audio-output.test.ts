import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AudioOutput } from './audio-output.ts'
import { SharedAudioContext } from './audio-context.ts'
import { readLatency } from './latency-memory.ts'
import { DeviceContext } from '../../testing/device-context.ts'
import { wallNow } from '../../../wall-clock.ts'

const opened: AudioOutput[] = []

function openOutput(device = new DeviceContext()) {
  const shared = new SharedAudioContext(device as unknown as AudioContext)
  const ready: boolean[] = []
  const shifts: number[] = []
  const output = new AudioOutput(
    {
      onReadyChange: (isReady) => ready.push(isReady),
      onShift: (frames) => shifts.push(frames),
      onDead: () => undefined,
    },
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

it('17.369 after a pause, a hidden page whose timers run once a second can sound within 400 ms', () => {
  const { device, output, ready } = openOutput()
  vi.advanceTimersByTime(1_000)
  device.interrupt('suspended')
  vi.advanceTimersByTime(60_000)
  const inTime = setTimeout
  device.render = inTime
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => inTime(run, Math.max(1_000, ms)))
  device.goOn()
  vi.advanceTimersByTime(400)
  vi.unstubAllGlobals()
  expect(ready).toEqual([true, false, true])
  expect(mappedLatencyMs(output)).toBeCloseTo(40, 0)
})

it('17.369 a closed output ticks no more, and one that sounds needs no ticks', () => {
  const { device, output } = openOutput()
  const tick = vi.spyOn(device, 'createConstantSource')
  vi.advanceTimersByTime(1_000)
  const whileMeasured = tick.mock.calls.length
  vi.advanceTimersByTime(5_000)
  expect(tick.mock.calls.length).toBe(whileMeasured)
  device.interrupt('suspended')
  device.goOn()
  output.close()
  tick.mockClear()
  vi.advanceTimersByTime(5_000)
  expect(tick).not.toHaveBeenCalled()
})

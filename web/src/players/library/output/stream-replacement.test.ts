import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AudioOutput } from './audio-output.ts'
import { SharedAudioContext } from './audio-context.ts'
import { DeviceContext } from '../../testing/device-context.ts'
import { wallNow } from '../../../wall-clock.ts'

/** A context that takes some time to stop, as browsers do that ask the device. */
class StoppingContext extends DeviceContext {
  suspensions = 0

  override suspend = async () => {
    this.suspensions += 1
    await new Promise((resolve) => setTimeout(resolve, 50))
    if (this.state === 'running') this.interrupt('suspended')
  }

  override resume = async () => {
    if (this.state !== 'running') this.goOn()
  }
}

const opened: AudioOutput[] = []
const device = () => new StoppingContext()

function openOutput(context = device()) {
  const shared = new SharedAudioContext(context as unknown as AudioContext)
  return { context, output: openOn(shared), shared }
}

function openOn(shared: SharedAudioContext): AudioOutput {
  const nothing = () => undefined
  const output = new AudioOutput({ onReadyChange: nothing, onDead: nothing, replacesStreams: true }, shared)
  opened.push(output)
  return output
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
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

it('17.431 a stream that ran dry before anything sounded is replaced, three times a minute at most', async () => {
  const { context, output } = openOutput()
  await pass(1_000)
  expect(context.suspensions).toBe(0)
  for (const replacements of [1, 2, 3, 3, 3]) {
    context.runDry(30)
    await pass(3_000)
    expect(context.suspensions).toBe(replacements)
    expect(mappedLatencyMs(output)).toBeCloseTo(40, 0)
  }
  output.warmUp()
  await pass(25_000)
  output.warmUp()
  await pass(25_000)
  context.runDry(30)
  await pass(2_000)
  expect(context.suspensions).toBe(4)
})

it('17.431 while a stream still runs dry again and again, it is not replaced', async () => {
  const { context } = openOutput()
  await pass(1_000)
  for (let time = 0; time < 6; time += 1) {
    context.runDry(20)
    await pass(400)
  }
  expect(context.suspensions).toBe(0)
  await pass(400)
  expect(context.suspensions).toBe(1)
})

it('17.431 a stream that sounds is not replaced, but half a second after the sound', async () => {
  const { context, output } = openOutput()
  output.hold()
  await pass(2_000)
  context.runDry(30)
  await pass(3_000)
  output.hold()
  output.warmUp()
  await pass(400)
  expect(context.suspensions).toBe(0)
  await pass(200)
  expect(context.suspensions).toBe(1)
})

it('17.431 nor is one on which another player sounds', async () => {
  const { context, shared } = openOutput()
  const other = openOn(shared)
  other.hold()
  await pass(1_000)
  context.runDry(30)
  await pass(3_000)
  expect(context.suspensions).toBe(0)
  other.rest()
  await pass(1_000)
  expect(context.suspensions).toBe(1)
})

it('17.431 a sound that follows at once waits for the new stream', async () => {
  const { context, output } = openOutput()
  await pass(1_000)
  context.runDry(30)
  await pass(200)
  output.hold()
  expect(context.suspensions).toBe(1)
  expect(output.frameAt(wallNow())).not.toBeNull()
  let canSound: boolean | null = null
  void output.whenRunning().then((can) => (canSound = can))
  await pass(150)
  expect(canSound).toBeNull()
  await pass(250)
  expect(canSound).toBe(true)
  expect(mappedLatencyMs(output)).toBeCloseTo(40, 0)
  expect(output.uncertaintyMs()).toBeLessThan(5)
})

it('17.431 a stream whose readings soon leave what explained them is replaced, a later small shift is not', async () => {
  const wrong = openOutput()
  wrong.context.interrupt('suspended')
  wrong.context.firstErrorMs = 1.5
  wrong.context.goOn()
  // The drift changes where the timestamps are right: nothing jumps.
  await pass(1_100)
  wrong.context.firstErrorMs = -1.5
  await pass(1_200)
  expect(wrong.context.suspensions).toBe(1)

  const shifted = openOutput()
  shifted.context.interrupt('suspended')
  shifted.context.goOn()
  await pass(1_700)
  shifted.context.runDry(2.5)
  await pass(3_000)
  expect(shifted.context.suspensions).toBe(0)
})

it('17.431 a stream that has settled since is kept', async () => {
  const { context, output } = openOutput()
  output.hold()
  await pass(5_000)
  context.runDry(30)
  await pass(60_000)
  context.latencyMs = 90
  await pass(60_000)
  context.runDry(2)
  await pass(3_000)
  output.warmUp()
  output.hold()
  output.warmUp()
  await pass(2_000)
  expect(context.suspensions).toBe(0)
})

it('17.431 the stream of a hidden page is kept, and that of a browser with coarse timestamps', async () => {
  const hidden = openOutput()
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  await pass(1_000)
  hidden.context.runDry(30)
  await pass(2_000)
  hidden.output.hold()
  expect(hidden.context.suspensions).toBe(0)
  vi.restoreAllMocks()

  const coarse = openOutput()
  vi.spyOn(coarse.context, 'getOutputTimestamp').mockImplementation(() => ({
    contextTime: coarse.context.currentTime,
    performanceTime: performance.now() - 20,
  }))
  await pass(1_000)
  coarse.context.runDry(200)
  await pass(3_000)
  coarse.output.hold()
  expect(coarse.context.suspensions).toBe(0)
})

it('17.431 a browser that leaves the suspension pending plays on', async () => {
  const { context, output } = openOutput()
  vi.spyOn(context, 'suspend').mockReturnValue(new Promise(() => undefined))
  await pass(1_000)
  context.runDry(30)
  await pass(100)
  output.hold()
  const canSound = output.whenRunning()
  await pass(1_500)
  expect(await canSound).toBe(true)
  expect(mappedLatencyMs(output)).toBeCloseTo(40, 0)
})

it('17.431 a sound waits for a device that takes 0.8 s to stop and as long to start', async () => {
  const { context, output } = openOutput()
  vi.spyOn(context, 'suspend').mockImplementation(async () => {
    await new Promise((resolve) => setTimeout(resolve, 800))
    context.interrupt('suspended')
  })
  vi.spyOn(context, 'resume').mockImplementation(async () => {
    if (context.state !== 'running') setTimeout(() => context.goOn(), 800)
  })
  await pass(1_000)
  context.runDry(30)
  await pass(100)
  output.hold()
  const canSound = output.whenRunning()
  await pass(2_500)
  expect(await canSound).toBe(true)
})

it('17.431 an output that is closed meanwhile reads nothing, and its context is suspended after 2 s', async () => {
  const { context, output, shared } = openOutput()
  await pass(1_000)
  context.runDry(30)
  await pass(100)
  output.hold()
  output.close()
  await pass(3_000)
  expect(context.state).toBe('suspended')

  const other = openOn(shared)
  const closed = openOn(shared)
  await pass(1_000)
  context.runDry(30)
  await pass(100)
  closed.hold()
  closed.close()
  other.hold()
  await pass(1_000)
  const read = vi.spyOn(context, 'getOutputTimestamp')
  await pass(1_000)
  // Every 20 ms, by one of them.
  expect(read.mock.calls.length).toBeLessThan(60)
})

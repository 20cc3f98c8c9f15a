import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { UndecodableError } from '../undecodable-error.ts'
import { type DecodedPacket, decodePackets, type Packet } from './packet-decoder.ts'

const frames = 960
const rate = 48_000
const packetS = frames / rate

/** The browser's decoder: a packet is decoded once the test says so, and fails where its first byte is 255. */
class FakeDecoder {
  static made: FakeDecoder[] = []
  state = 'unconfigured'
  ondequeue: (() => void) | null = null
  readonly queue: EncodedAudioChunk[] = []
  readonly timestamps: number[] = []
  readonly #init: AudioDecoderInit
  #flushed: { resolve: () => void; reject: (error: unknown) => void } | null = null

  constructor(init: AudioDecoderInit) {
    this.#init = init
    FakeDecoder.made.push(this)
  }

  get decodeQueueSize(): number {
    return this.queue.length
  }

  configure(): void {
    this.state = 'configured'
  }

  decode(chunk: EncodedAudioChunk): void {
    if (this.state === 'closed') throw new DOMException('Closed', 'InvalidStateError')
    this.timestamps.push(chunk.timestamp)
    this.queue.push(chunk)
  }

  flush(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#flushed = { resolve, reject }
      this.work(0)
    })
  }

  close(): void {
    this.state = 'closed'
    this.queue.length = 0
    this.#flushed?.reject(new DOMException('Closed', 'AbortError'))
  }

  /** Decodes so many packets. */
  work(count: number): void {
    for (const chunk of this.queue.splice(0, count)) {
      this.ondequeue?.()
      const [first] = (chunk as unknown as { data: Uint8Array }).data
      if (first === 255) {
        this.close()
        return this.#init.error(new DOMException('Decoding failed', 'EncodingError'))
      }
      this.#init.output(makeSound(chunk.timestamp, first === 254 ? 0 : frames))
    }
    if (this.queue.length === 0) this.#flushed?.resolve()
  }
}

const makeSound = (timestamp: number, numberOfFrames: number) =>
  ({
    timestamp,
    numberOfFrames,
    numberOfChannels: 1,
    sampleRate: rate,
    format: 'f32-planar',
    copyTo: () => undefined,
    close: () => undefined,
  }) as unknown as AudioData

beforeEach(() => {
  FakeDecoder.made = []
  vi.stubGlobal('AudioDecoder', FakeDecoder)
  vi.stubGlobal(
    'EncodedAudioChunk',
    class {
      constructor(init: EncodedAudioChunkInit) {
        Object.assign(this, init)
      }
    },
  )
})
afterEach(() => void vi.unstubAllGlobals())

/** Lists packets of which each has its number, and tells how many were taken. */
function makePackets(count: number, { failing = -1, empty = -1 } = {}) {
  const source = { taken: 0, isLeft: false }
  async function* list(): AsyncGenerator<Packet> {
    try {
      for (; source.taken < count; source.taken += 1) {
        const { taken } = source
        const mark = taken === failing ? 255 : taken === empty ? 254 : 0
        yield { data: Uint8Array.of(mark), timeS: taken * packetS, durationS: packetS }
      }
    } finally {
      source.isLeft = true
    }
  }
  return { source, packets: list() }
}

const config = { codec: 'opus', sampleRate: rate, numberOfChannels: 1 }
const settle = () => new Promise((resolve) => setTimeout(resolve, 5))

/** Takes all sounds while the decoder works. */
async function takeAll(sounds: AsyncIterable<DecodedPacket>): Promise<{ timesS: number[]; error: unknown }> {
  const timesS: number[] = []
  const working = setInterval(() => FakeDecoder.made[0]?.work(3), 1)
  try {
    for await (const { timeS } of sounds) timesS.push(timeS)
    return { timesS, error: null }
  } catch (error) {
    return { timesS, error }
  } finally {
    clearInterval(working)
  }
}

it('17.488 gives the sound of every packet, in order and with its time', async () => {
  const { packets } = makePackets(200)
  const { timesS, error } = await takeAll(decodePackets(config, packets))
  expect(error).toBeNull()
  expect(timesS).toHaveLength(200)
  for (const [index, timeS] of timesS.entries()) expect(timeS).toBeCloseTo(index * packetS, 5)
})

it('17.488 takes few packets ahead: more while the decoder has given out nothing', async () => {
  const { source, packets } = makePackets(1_000)
  const sounds = decodePackets(config, packets)
  const first = sounds.next()
  await settle()
  expect(source.taken).toBe(40)
  FakeDecoder.made[0]?.work(41)
  await first
  await settle()
  expect(source.taken).toBe(40)
  for (let taken = 1; taken < 41; taken += 1) await sounds.next()
  await settle()
  expect(source.taken).toBeLessThan(100)
  await sounds.return()
  await settle()
  expect(source.isLeft).toBe(true)
  expect(FakeDecoder.made[0]?.state).toBe('closed')
})

it('17.488 a failure of the decoder comes behind the sound before it', async () => {
  const { source, packets } = makePackets(100, { failing: 30 })
  const { timesS, error } = await takeAll(decodePackets(config, packets))
  expect(timesS).toHaveLength(30)
  expect(String(error)).toContain('Decoding failed')
  await settle()
  expect(source.isLeft).toBe(true)
})

it('17.488 a failure of the file comes behind the sound before it', async () => {
  async function* breaking(): AsyncGenerator<Packet> {
    yield* makePackets(10).packets
    throw new Error('The file is gone')
  }
  const { timesS, error } = await takeAll(decodePackets(config, breaking()))
  expect(timesS.length).toBeLessThanOrEqual(10)
  expect(String(error)).toContain('The file is gone')
})

it('17.422 the first packet of Vorbis, of which some decoders give out an empty sample, has no sound', async () => {
  const { packets } = makePackets(10, { empty: 0 })
  const { timesS } = await takeAll(decodePackets({ ...config, codec: 'vorbis' }, packets))
  expect(timesS).toHaveLength(9)
  expect(timesS[0]).toBeCloseTo(packetS, 5)
})

/** Takes every packet, and gives out nothing. */
class MuteDecoder extends FakeDecoder {
  override get decodeQueueSize(): number {
    return 0
  }
  override work(): void {}
}

it.each([
  ['a long track', 1_000, 200],
  ['a short one', 20, 20],
])('17.484 a decoder that gives out nothing of %s counts as none', async (_title, count, most) => {
  vi.stubGlobal('AudioDecoder', MuteDecoder)
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { source, packets } = makePackets(count)
  const failure = decodePackets(config, packets)
    .next()
    .catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await failure).toBeInstanceOf(UndecodableError)
  expect(source.taken).toBeLessThanOrEqual(most)
  expect(FakeDecoder.made[0]?.state).toBe('closed')
})

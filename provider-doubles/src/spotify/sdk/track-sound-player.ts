/** Seconds of sound per request. */
const partSeconds = 10
/** Parts are scheduled this long before they sound, so that a busy machine has time to load them. */
const aheadSeconds = 15

/** Plays the sound of one track at a time, part by part, without gaps. */
export class TrackSoundPlayer {
  readonly #context: AudioContext
  readonly #volume: GainNode
  readonly #parts = new Map<string, Promise<AudioBuffer>>()
  #sources: AudioBufferSourceNode[] = []
  #run = 0

  constructor(context: AudioContext) {
    this.#context = context
    this.#volume = context.createGain()
    this.#volume.connect(context.destination)
  }

  setVolume(volume: number): void {
    this.#volume.gain.value = volume
  }

  /** Loads what is needed to start at a position. */
  async prepare(trackId: string, positionMs: number): Promise<void> {
    await this.#load(trackId, Math.floor(positionMs / 1_000 / partSeconds))
  }

  /**
   * Starts a prepared track and stops the earlier one.
   * @returns the instant at which the position sounds, on the clock of the audio context, s
   */
  start(trackId: string, durationMs: number, positionMs: number): number {
    this.stop()
    const run = this.#run
    const startedAt = this.#context.currentTime + 0.02
    void this.#schedule(trackId, durationMs / 1_000, positionMs / 1_000, startedAt, run)
    return startedAt
  }

  stop(): void {
    this.#run += 1
    for (const source of this.#sources) source.stop()
    this.#sources = []
  }

  async #schedule(
    trackId: string,
    end: number,
    position: number,
    startedAt: number,
    run: number,
  ): Promise<void> {
    for (let part = Math.floor(position / partSeconds); part * partSeconds < end; part += 1) {
      const buffer = await this.#load(trackId, part)
      if (run !== this.#run) return
      const due = startedAt + part * partSeconds - position
      const late = Math.max(0, this.#context.currentTime - due)
      this.#startPart(buffer, due + late, late)
      await this.#waitUntil(due + partSeconds - aheadSeconds)
      if (run !== this.#run) return
    }
  }

  #startPart(buffer: AudioBuffer, at: number, skipped: number): void {
    if (skipped >= buffer.duration) return
    const source = new AudioBufferSourceNode(this.#context, { buffer })
    source.connect(this.#volume)
    source.start(at, skipped)
    source.addEventListener('ended', () => {
      source.disconnect()
      this.#sources = this.#sources.filter((other) => other !== source)
    })
    this.#sources.push(source)
  }

  #waitUntil(contextTime: number): Promise<void> {
    const ms = (contextTime - this.#context.currentTime) * 1_000
    return ms <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms))
  }

  #load(trackId: string, part: number): Promise<AudioBuffer> {
    const address = `/sound/${trackId}.wav?from=${part * partSeconds}&seconds=${partSeconds}`
    const known = this.#parts.get(address)
    if (known) return known
    const loading = this.#fetch(address)
    loading.catch(() => this.#parts.delete(address))
    this.#parts.set(address, loading)
    const [oldest] = this.#parts.keys()
    if (this.#parts.size > 8 && oldest !== undefined) this.#parts.delete(oldest)
    return loading
  }

  async #fetch(address: string): Promise<AudioBuffer> {
    const response = await fetch(address)
    if (!response.ok) throw new Error(`The sound answered ${response.status}`)
    return this.#context.decodeAudioData(await response.arrayBuffer())
  }
}

import type { OutputFacts } from '@earshot/core/diagnosis/facts'
import type { Track } from '@earshot/core/protocol/entities'
import { isDurationCorrection, knownDurationMs } from '@earshot/core/sync/duration'
import type { PlayerCapabilities, PositionSample } from '@earshot/core/sync/follow/player-state'
import { AudioOutput } from './output/audio-output.ts'
import { RefusedError } from './decoding/range-request.ts'
import { TrackStream } from './decoding/track-stream.ts'
import { PlayerEvents, type Due, type LoadOptions, type Player, type PlayerEvent } from '../player.ts'
import { UndecodableError } from './decoding/undecodable-error.ts'
import { BufferQueue } from './buffer-queue.ts'
import { keepMediaSession } from './session-element.ts'
import { LeavingQueues } from './leaving-queues.ts'
import { NextTrack } from './next-track.ts'
import { delay } from '../../timing.ts'
import { wallNow } from '../../wall-clock.ts'

/** A stated duration is compared with the server's this long after loading. */
const countAfterMs = 4_000
const aheadMs = 3_000
/** A track that is due so soon before or after the end of the one that it follows begins there: both are as far off. */
const joinedMs = 20

/**
 * Plays the server's own music files: decodes them as a stream and schedules them on an audio context, exact to the
 * sample of the wall clock, output latency included.
 */
export class LibraryPlayer implements Player {
  readonly capabilities: PlayerCapabilities = {
    profile: 'library',
    canSchedule: true,
    rates: 'any',
    granularityMs: 0.1,
  }
  readonly #urlOf: (track: Track) => string
  readonly #output: AudioOutput
  readonly #events = new PlayerEvents()
  readonly #next = new NextTrack((trackId) => this.#events.emit({ type: 'unsupported', trackId }))
  #stream: TrackStream | null = null
  /** The track whose sound could not be decoded at the latest attempt. */
  #undecodedTrackId: string | null = null
  #queue: BufferQueue | null = null
  #startsAtFrame = 0
  readonly #leaving = new LeavingQueues()
  #restMs = 0
  /** Counts load, play and pause calls, so that one that waited can detect a newer one. */
  #latestCall = 0

  constructor(urlOf: (track: Track) => string) {
    this.#urlOf = urlOf
    this.#output = new AudioOutput({
      onReadyChange: (isReady) => this.#onOutputChange(isReady),
      onShift: (frames) => {
        this.#queue?.followShift(frames)
        this.#leaving.followShift(frames)
      },
      onDead: () => this.#events.emit({ type: 'output_dead' }),
    })
    this.#events.subscribe(() => keepMediaSession(this.#events.status))
  }

  async load(track: Track, positionMs: number, options: LoadOptions = {}): Promise<void> {
    const { playsFromMs = positionMs, beforeUntilMs = 0, next } = options
    const call = ++this.#latestCall
    this.#leave(beforeUntilMs)
    this.#restMs = positionMs
    this.#output.setTrack(track, next)
    // A start may follow soon after.
    this.#output.warmUp()
    const stream = this.#requireStream(track)
    this.#events.setStatus('loading')
    try {
      await stream.prime(this.#toFrames(playsFromMs))
      this.#undecodedTrackId = null
      if (call === this.#latestCall) this.#events.setStatus('ready')
    } catch (error) {
      if (call === this.#latestCall) this.#failToLoad(track, error)
      return
    }
    void this.#reportDuration(stream, knownDurationMs(track))
  }

  prepare(track: Track, due: Due): boolean {
    if (this.#stream?.trackId === track.id || (due === 'later' && !this.#isAhead())) return false
    return this.#next.prepare(track.id, due, () => this.#openStream(track))
  }

  async play(positionMs: number, atClientMs: number): Promise<void> {
    const call = ++this.#latestCall
    const stream = this.#stream
    if (!stream) return
    this.#output.hold()
    const canSound = await this.#output.whenRunning()
    if (call !== this.#latestCall) return
    const wanted = this.#output.frameAt(atClientMs)
    if (!canSound || wanted === null) return this.#block(positionMs)
    const positionFrame = this.#toFrames(positionMs)
    const joint = this.#jointFor(wanted - positionFrame)
    if (joint !== null) {
      // One that is to join there, too, does not sound yet.
      this.#queue?.stop(this.#output.earliestFrame())
      return this.#startQueue(stream, joint, 0)
    }
    const startFrame = Math.max(Math.round(wanted), this.#output.earliestFrame())
    const missedFrames = Math.max(0, Math.round(startFrame - wanted))
    this.#stopQueue(startFrame)
    this.#startQueue(stream, startFrame, positionFrame + missedFrames)
  }

  pause(positionMs: number, atClientMs = wallNow()): Promise<void> {
    const call = ++this.#latestCall
    // A start that is yet to come is cancelled.
    if (this.#startsAtFrame > this.#output.earliestFrame()) this.#queue?.stop(0)
    this.#stopQueue(this.#output.frameAt(atClientMs) ?? undefined)
    this.#output.warmUp()
    this.#restMs = positionMs
    if (this.#stream && this.#events.status !== 'error') {
      this.#events.setStatus('paused')
      this.#stream.prime(this.#toFrames(positionMs)).catch((error: unknown) => {
        if (call === this.#latestCall) this.#fail(error)
      })
    }
    return Promise.resolve()
  }

  stopBefore(atClientMs: number): void {
    this.#leaving.stop(this.#output.frameAt(atClientMs) ?? 0)
  }

  setRate(rate: number): void {
    this.#queue?.setRate(rate)
  }

  setVolume(volume: number): void {
    this.#output.setVolume(volume)
  }

  sample(): PositionSample | null {
    if (!this.#stream) return null
    const atClientMs = wallNow()
    const frame = this.#queue && this.#output.frameAt(atClientMs)
    if (!this.#queue || frame === null) {
      return { positionMs: this.#restMs, atClientMs, status: this.#events.status }
    }
    const status = this.#queue.covers(frame) ? this.#events.status : 'buffering'
    const positionMs = this.#toMs(this.#queue.positionAt(frame))
    return { positionMs, atClientMs, status, uncertaintyMs: this.#output.uncertaintyMs() }
  }

  output(): OutputFacts {
    return this.#output.facts()
  }

  levels(): readonly number[] {
    return this.#output.levels()
  }

  subscribe(listener: (event: PlayerEvent) => void): () => void {
    return this.#events.subscribe(listener)
  }

  async unlock(): Promise<void> {
    this.#output.unlock()
    await this.#output.whenRunning()
  }

  dispose(): void {
    this.#latestCall++
    this.#stopQueue()
    this.#events.close()
    if (this.#stream) keepMediaSession('idle')
    this.#stream?.dispose()
    this.#stream = null
    this.#next.dispose()
    this.#output.close()
  }

  /** A file may state more sound than is in it, or than players play of it: the server's count is true. */
  async #reportDuration(stream: TrackStream, statedMs: number | null): Promise<void> {
    // Its start may need the whole line until then.
    if (statedMs !== null) await delay(countAfterMs)
    if (stream !== this.#stream) return
    const measured = statedMs === null ? stream.measureDuration() : stream.countedDuration()
    const durationMs = await measured.catch(() => null) // A broken file is reported when it plays
    if (durationMs === null || stream !== this.#stream || !isDurationCorrection(statedMs, durationMs)) return
    this.#events.emit({ type: 'duration', durationMs })
  }

  #startQueue(stream: TrackStream, startFrame: number, positionFrame: number): void {
    const { context, input } = this.#output
    const start = { atFrame: startFrame, positionFrame }
    const queue = new BufferQueue(context, input, start, () => this.#end(queue))
    this.#queue = queue
    this.#startsAtFrame = startFrame
    this.#events.setStatus('playing')
    queue
      .feed((frame) => stream.blocksFrom(frame))
      .catch((error: unknown) => {
        if (queue === this.#queue) this.#fail(error)
      })
  }

  #stopQueue(atFrame = this.#output.earliestFrame()): void {
    if (this.#queue) this.#leaving.add(this.#queue)
    this.#queue = null
    this.#leaving.stop(atFrame)
  }

  /** Whether the line has room for another track: so much of this one is decoded, or the browser blocks its sound. */
  #isAhead(): boolean {
    const frame = this.#output.frameAt(wallNow() + aheadMs)
    return !this.#queue || (frame !== null && this.#queue.covers(frame))
  }

  /** The track sounds on until then, on the client's clock, while the next one is loaded; Infinity: to its end. */
  #leave(untilMs: number): void {
    const [queue, stream] = [this.#queue, this.#stream]
    if (untilMs === 0 || !queue || !stream) return this.#stopQueue()
    if (untilMs < Infinity) queue.stop(this.#output.frameAt(untilMs) ?? 0)
    void queue.whenFed().then(() => stream.dispose())
    this.#leaving.add(queue)
    this.#queue = this.#stream = null
  }

  /** Returns the frame at which the track before ends, if one whose first frame is due at `firstFrame` is to join it there. */
  #jointFor(firstFrame: number): number | null {
    const endFrame = Math.round(this.#leaving.endFrame ?? -Infinity)
    const isJoint = this.#toMs(Math.abs(endFrame - firstFrame)) <= joinedMs
    return isJoint && endFrame >= this.#output.earliestFrame() ? endFrame : null
  }

  #end(queue: BufferQueue): void {
    this.#leaving.delete(queue)
    if (queue !== this.#queue) return
    this.#restMs = this.#toMs(queue.endPosition)
    this.#queue = null
    this.#output.rest()
    this.#events.setStatus('ended')
  }

  #block(positionMs: number): void {
    this.#stopQueue()
    this.#restMs = positionMs
    this.#events.setStatus('paused')
    this.#output.block(this.#events)
  }

  #onOutputChange(isReady: boolean): void {
    if (isReady) this.#events.unblock()
    else if (this.#queue) this.#block(this.sample()?.positionMs ?? this.#restMs)
  }

  /** A track that fails twice although its file is there cannot be decoded, whatever the browser says of its format. */
  #failToLoad(track: Track, error: unknown): void {
    const isRefused = error instanceof RefusedError
    const isUndecodable = !isRefused && this.#undecodedTrackId === track.id
    this.#undecodedTrackId = isRefused ? null : track.id
    this.#fail(isUndecodable ? new UndecodableError('Failed twice', { cause: error }) : error)
  }

  #fail(error: unknown): void {
    this.#stopQueue()
    this.#output.rest()
    this.#events.setStatus('error')
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof UndecodableError && this.#stream) {
      this.#events.emit({ type: 'unsupported', trackId: this.#stream.trackId })
    } else this.#events.emit({ type: 'error', message })
  }

  /** Returns the track's stream: the current one, the prepared one, or a new one. A failed one is reopened. */
  #requireStream(track: Track): TrackStream {
    const current = this.#stream
    if (current?.trackId === track.id && this.#events.status !== 'error') return current
    current?.dispose()
    this.#stream = this.#next.take(track.id) ?? this.#openStream(track)
    return this.#stream
  }

  #openStream(track: Track): TrackStream {
    const source = { trackId: track.id, url: this.#urlOf(track), durationMs: knownDurationMs(track) }
    // Another file may have another length.
    const onReplaced = () => void this.#reportDuration(stream, source.durationMs)
    const stream = new TrackStream(source, this.#output.context.sampleRate, onReplaced)
    return stream
  }

  #toFrames(positionMs: number): number {
    return Math.round((positionMs / 1_000) * this.#output.context.sampleRate)
  }

  #toMs(frames: number): number {
    return (frames / this.#output.context.sampleRate) * 1_000
  }
}

/// <reference types="spotify-web-playback-sdk" />
import type { Track } from '@earshot/core/protocol/entities'
import { knownDurationMs } from '@earshot/core/sync/duration'
import type { PlayerCapabilities, PositionSample } from '@earshot/core/sync/follow/player-state'
import { PlayerEvents, type Player, type PlayerEvent } from '../player.ts'
import { positionAfter, ResumeLatency, type Anchor } from './resume-latency.ts'
import { SpotifyDevice } from './spotify-device.ts'
import { addReading, isTrusted, playheadAt, spreadMs, type Playhead } from './spotify-playhead.ts'
import { toSpotifyProblem, type SpotifyProblem } from './spotify-problem.ts'
import { interpretState, playedTrack, positionOf, spotifyUriOf, type StateMeaning } from './spotify-state.ts'
import { SpotifyToken } from './spotify-token.ts'
import { delay } from '../../timing.ts'
import { withTimeout } from './timeouts.ts'
import { wallNow } from '../../wall-clock.ts'

const firstSoundTimeoutMs = 10_000
/** A resumed player that stays silent for this long is started again. */
const resumeTimeoutMs = 5_000
/** A paused player this close to a position is not moved. */
const seekBeyondMs = 20
/** States this soon after a call may be older than its effect. */
const staleMs = 1_000
/** After so many errors of a track in a row, it cannot be played here. */
const trackErrorsMax = 3
/** Single readings have no state now and then; a device that is not the active one never has one. */
const missingMs = 1_000
/** From a seek of the paused player until it can play from there at once. */
const seekAheadMs = 700
/** How far the sound may lag behind the position that the SDK reports: nobody can measure it. */
const outputUncertaintyMs = 50

/**
 * Plays Spotify tracks with the Web Playback SDK and the listener's own Premium account. A track is loaded by starting
 * it in silence and pausing it at once, so that it then starts with a local command alone.
 */
export class StreamingPlayer implements Player {
  readonly capabilities: PlayerCapabilities = {
    profile: 'streaming',
    canSchedule: true,
    rates: 'none',
    granularityMs: 1,
  }
  readonly #events = new PlayerEvents()
  readonly #device = new SpotifyDevice({
    token: new SpotifyToken(),
    onState: (state, atClientMs) => this.#onState(state, atClientMs),
    onAutoplayFailed: () => this.#onAutoplayFailed(),
    onNotReady: () => this.#release('paused'),
    onProblem: (problem) => this.#onProblem(problem),
  })
  #track: Track | null = null
  /** Whether this device is the account's active one, with the track. */
  #hold: 'none' | 'starting' | 'held' = 'none'
  #playedUri: string | null = null
  #head: Playhead | null = null
  /** The position while it does not play. */
  #positionMs = 0
  #volume = 1
  #trackErrors = 0
  /** Since when there is no state; null while there is one. */
  #missingSinceMs: number | null = null
  /** Counts load, play and pause calls, so that one that waited can detect a newer one. */
  #latestCall = 0
  #calledAtMs = 0
  /** Between a call of `play` and its resuming. */
  #isPreparing = false
  readonly #latency = new ResumeLatency()
  #onFirstSound: () => void = () => undefined

  connect = (): Promise<void> => this.#device.open().catch(() => undefined)

  async load(track: Track, positionMs: number): Promise<void> {
    const call = this.#begin(positionMs)
    if (track.id !== this.#track?.id) this.#trackErrors = 0
    this.#track = track
    this.#hold = 'none'
    this.#events.setStatus('loading')
    await this.#attempt(call, async () => {
      await this.#device.open()
      if (call === this.#latestCall && !this.#events.isBlocked) await this.#start(call, positionMs)
      const isHeld = call === this.#latestCall && this.#hold === 'held'
      if (isHeld) await this.#device.pauseAt(positionMs, this.#volume)
      if (call !== this.#latestCall) return
      this.#device.unwatch()
      this.#events.setStatus('ready')
    })
  }

  /** Seeks ahead and resumes at the instant that fits, so that the time of a seek is silence and not an error. */
  async play(positionMs: number, atClientMs: number): Promise<void> {
    const isThere = !this.#isWatching() && Math.abs(this.#positionMs - positionMs) <= seekBeyondMs
    const isPrepared = isThere && this.#hold === 'held' && atClientMs > wallNow()
    const call = this.#begin(positionMs)
    if (this.#track === null) return
    this.#isPreparing = true
    this.#events.setStatus('buffering')
    await this.#attempt(call, async () => {
      if (this.#hold !== 'held') await this.#start(call, positionMs)
      if (call !== this.#latestCall || this.#hold !== 'held') return
      const anchor = { positionMs, atClientMs }
      const startsAtMs = isPrepared ? atClientMs : await this.#moveTo(anchor)
      await delay(startsAtMs - this.#latency.meanMs - wallNow())
      if (call === this.#latestCall) await this.#resume(anchor)
    })
  }

  async pause(positionMs: number): Promise<void> {
    const call = this.#begin(positionMs)
    if (this.#track === null) return
    this.#events.setStatus('paused')
    if (this.#hold !== 'none') await this.#attempt(call, () => this.#device.pauseAt(positionMs, this.#volume))
  }

  setRate(): void {} // Spotify plays at one rate only.

  setVolume(volume: number): void {
    this.#volume = volume
    // Otherwise it is set at the next start.
    if (this.#hold === 'held') this.#device.setVolume(volume).catch(() => undefined)
  }

  sample(): PositionSample | null {
    if (this.#track === null) return null
    const atClientMs = wallNow()
    const uncertaintyMs = outputUncertaintyMs + (this.#head ? spreadMs(this.#head) : 0)
    return { positionMs: this.#position(atClientMs), atClientMs, status: this.#events.status, uncertaintyMs }
  }

  subscribe(listener: (event: PlayerEvent) => void): () => void {
    return this.#events.subscribe(listener)
  }

  async unlock(): Promise<void> {
    await this.#device.activate().catch(() => undefined)
    // The loop then aligns the player with the room, which resumes it.
    this.#events.unblock()
  }

  dispose(): void {
    this.#begin(0)
    this.#events.close()
    this.#track = null
    this.#device.close()
  }

  #begin(positionMs: number): number {
    this.#device.unwatch()
    this.#isPreparing = false
    this.#missingSinceMs = null
    this.#head = null
    this.#positionMs = positionMs
    this.#calledAtMs = wallNow()
    this.#latestCall++
    // Releases a start that still waits; it then detects the newer call.
    this.#onFirstSound()
    return this.#latestCall
  }

  #position(clientMs: number): number {
    return this.#head ? playheadAt(this.#head, clientMs) : this.#positionMs
  }

  /** Starts the track on this device, in silence. Resolves at its first sound, or when the browser refuses it. */
  async #start(call: number, positionMs: number): Promise<void> {
    if (!this.#track) return
    this.#hold = 'starting'
    this.#playedUri = null
    await this.#device.setVolume(0)
    if (call !== this.#latestCall) return
    const firstSound = new Promise<void>((resolve) => {
      this.#onFirstSound = resolve
    })
    await this.#device.play(spotifyUriOf(this.#track), positionMs)
    if (call !== this.#latestCall) return
    this.#device.watch()
    await withTimeout(firstSound, firstSoundTimeoutMs, 'Spotify did not start the track', { isOfTrack: true })
  }

  /** Pauses, and seeks ahead to where the room will be in `seekAheadMs`. Resolves to that instant. */
  async #moveTo(anchor: Anchor): Promise<number> {
    const startsAtMs = Math.max(anchor.atClientMs, wallNow() + seekAheadMs)
    await this.#device.pauseAt(positionAfter(anchor, startsAtMs), this.#volume)
    return startsAtMs
  }

  async #resume(anchor: Anchor): Promise<void> {
    this.#isPreparing = false
    this.#calledAtMs = wallNow()
    this.#latency.begin(anchor)
    await this.#device.resume()
    this.#device.watch()
  }

  async #attempt(call: number, task: () => Promise<void>): Promise<void> {
    try {
      await task()
    } catch (error) {
      if (call === this.#latestCall) this.#onProblem(toSpotifyProblem(error))
    }
  }

  /** Whether the track sounds or is about to. */
  #isWatching(): boolean {
    return this.#events.status === 'playing' || this.#events.status === 'buffering'
  }

  #onState(state: Spotify.PlaybackState | null, atClientMs: number): void {
    const track = this.#track
    if (!track || this.#hold === 'none') return
    if (!state) {
      this.#missingSinceMs ??= atClientMs
      if (this.#hold === 'held' && atClientMs - this.#missingSinceMs >= missingMs) this.#onTakenOver()
      return
    }
    this.#missingSinceMs = null
    const lastMs = this.#position(atClientMs)
    const meaning = interpretState(state, { track, playedUri: this.#playedUri, lastMs })
    if (this.#hold === 'starting' && meaning !== 'running') return
    if (this.#hold === 'starting') this.#onHeld(track, state)
    const positionMs = positionOf(state, lastMs)
    if (meaning === 'running' || meaning === 'buffering')
      return this.#onReading(positionMs, atClientMs, meaning)
    if (meaning === 'other_track' || this.#isWatching()) this.#onStopped(meaning, positionMs)
  }

  #onHeld(track: Track, state: Spotify.PlaybackState): void {
    this.#hold = 'held'
    this.#missingSinceMs = null
    this.#playedUri = playedTrack(state)?.uri ?? null
    const isMeasured = knownDurationMs(track) === null && state.duration > 0
    if (isMeasured) this.#events.emit({ type: 'duration', durationMs: state.duration })
    this.#onFirstSound()
  }

  #onReading(positionMs: number, atClientMs: number, meaning: StateMeaning): void {
    // Resumed from Spotify's own controls: the room decides what happens.
    const isResumed = this.#events.status === 'paused' && atClientMs - this.#calledAtMs > staleMs
    if (this.#isPreparing || (!this.#isWatching() && !isResumed)) return
    this.#head = addReading(this.#head, { positionMs, atClientMs, isRunning: meaning === 'running' })
    this.#events.setStatus(isTrusted(this.#head) ? 'playing' : 'buffering')
    if (isTrusted(this.#head)) this.#trackErrors = 0
    this.#latency.measure(this.#head, atClientMs)
    if (isResumed) this.#device.watch()
  }

  /** The track does not play any more, without a call of ours. */
  #onStopped(meaning: StateMeaning, positionMs: number): void {
    if (meaning === 'stopped') {
      const isResuming = this.#head === null && wallNow() - this.#calledAtMs < resumeTimeoutMs
      if (isResuming || this.#isPreparing) return
      this.#head = null
      this.#positionMs = positionMs
      return this.#events.setStatus('paused')
    }
    // Spotify's next track must not be heard here.
    this.#device.silence()
    if (meaning === 'other_track') return this.#onTakenOver()
    this.#release('ended')
    this.#positionMs = (this.#track && knownDurationMs(this.#track)) ?? positionMs
  }

  #onTakenOver(): void {
    this.#release('paused')
    this.#events.emit({ type: 'taken_over' })
  }

  /** The device has no track any more: the next `play` starts it anew. */
  #release(status: 'paused' | 'ended' | 'error'): void {
    this.#hold = 'none'
    // A running load goes on, without what it started.
    if (this.#track === null || this.#events.status === 'loading') return
    this.#begin(this.#position(wallNow()))
    this.#events.setStatus(status)
  }

  #onAutoplayFailed(): void {
    this.#hold = 'none'
    this.#head = null
    if (this.#isWatching()) this.#events.setStatus('paused')
    this.#events.block()
    this.#onFirstSound()
  }

  #onProblem(problem: SpotifyProblem): void {
    const { message, reason, retryAtMs } = problem
    // The SDK also reports commands without effect, and one failure several times.
    const isIdle = ['ready', 'paused', 'error'].includes(this.#events.status)
    if (!this.#track || (isIdle && reason === null)) return
    this.#device.silence()
    this.#begin(this.#position(wallNow()))
    this.#hold = 'none'
    const isTrackUnplayable = problem.isOfTrack && ++this.#trackErrors >= trackErrorsMax
    const final = reason ?? (isTrackUnplayable ? 'blocked' : null)
    this.#events.setStatus('error')
    if (final === null) this.#events.emit({ type: 'error', message, retryAtMs })
    else this.#events.emit({ type: 'unsupported', trackId: this.#track.id, reason: final })
  }
}

import type { SdkSettings } from './messages.ts'
import { TrackSoundPlayer } from './track-sound-player.ts'

/** The calls of the playback to its device. */
export interface PlaybackEvents {
  isActivated(): boolean
  stateChanged(state: Spotify.PlaybackState | null): void
  autoplayFailed(): void
  playbackError(message: string): void
}

const notRunning = (): number => 0

/** Plays tracks with the latencies and the inaccurate positions of the real player. Inactive until something plays. */
export class Playback {
  settings: SdkSettings
  readonly #context: AudioContext
  readonly #sound: TrackSoundPlayer
  readonly #events: PlaybackEvents
  readonly #random: () => number
  #tracks: Spotify.Track[] = []
  #index = 0
  /** Where the track was started or halted, and how far it has run since, ms. */
  #fromMs = 0
  #elapsedMs = notRunning
  #isPaused = true
  #isLoading = false
  #hasEnded = false
  /** Increased by every command: the outcome of an earlier one no longer counts. */
  #command = 0
  #endTimer: ReturnType<typeof setTimeout> | undefined

  constructor(context: AudioContext, settings: SdkSettings, random: () => number, events: PlaybackEvents) {
    this.#context = context
    this.#sound = new TrackSoundPlayer(context)
    this.settings = settings
    this.#random = random
    this.#events = events
  }

  /** Null while another device, or none, is the active one. */
  get state(): Spotify.PlaybackState | null {
    const track = this.#tracks[this.#index]
    if (!track) return null
    return {
      context: { uri: null, metadata: null },
      disallows: this.#isPaused ? { pausing: true } : { resuming: true },
      duration: track.duration_ms,
      paused: this.#isPaused,
      position: Math.round(this.#positionMs()),
      loading: this.#isLoading,
      timestamp: Date.now(),
      repeat_mode: 0,
      shuffle: false,
      restrictions: {},
      track_window: {
        current_track: track,
        // The track that has ended is the current one and a previous one at once.
        previous_tracks: this.#tracks.slice(0, this.#hasEnded ? this.#index + 1 : this.#index).slice(-2),
        next_tracks: this.#tracks.slice(this.#index + 1, this.#index + 3),
      },
      playback_id: `playback-${this.#command}`,
      playback_quality: 'VERY_HIGH',
      playback_features: { hifi_status: 'NONE' },
    }
  }

  setVolume(volume: number): void {
    this.#sound.setVolume(volume)
  }

  play(tracks: Spotify.Track[], positionMs: number): void {
    this.#tracks = tracks
    this.#startTrack(0, positionMs)
  }

  skip(step: 1 | -1): void {
    const index = Math.max(0, this.#index + step)
    if (this.#tracks[index]) this.#startTrack(index, 0)
  }

  pause(): void {
    if (!this.#tracks[this.#index] || this.#isPaused) return
    // While it loads nothing has sounded yet, whatever position was reported.
    this.#halt(this.#isLoading ? this.#fromMs : this.#fromMs + this.#elapsedMs())
  }

  resume(): void {
    if (this.#isPaused) this.#startSound(this.#fromMs, this.settings.resumeLatencyMs)
  }

  seek(positionMs: number): void {
    const track = this.#tracks[this.#index]
    if (!track) return
    const target = Math.min(Math.max(0, positionMs), track.duration_ms)
    if (this.#isPaused) this.#halt(target)
    else this.#startSound(target, this.settings.seekLatencyMs)
  }

  togglePlay(): void {
    if (this.#isPaused) this.resume()
    else this.pause()
  }

  /** Stops because another device plays. */
  deactivate(): void {
    if (this.#tracks.length === 0) return
    this.#tracks = []
    this.#halt(0)
  }

  #startTrack(index: number, positionMs: number): void {
    this.#index = index
    if (this.#tracks[index]?.is_playable === false) {
      this.#events.playbackError('Cannot perform operation; the item is not playable.')
      return this.#halt(0)
    }
    this.#startSound(positionMs, this.settings.startLatencyMs)
  }

  /** Silences the old position at once, and sounds at the new one after a latency. */
  #startSound(positionMs: number, latencyMs: [number, number]): void {
    const track = this.#tracks[this.#index]
    if (!track) return
    const command = this.#supersede()
    this.#hasEnded = false
    this.#isPaused = false
    this.#isLoading = true
    this.#fromMs = positionMs
    const startedAt = performance.now()
    this.#elapsedMs = this.settings.runsWhileBuffering ? () => performance.now() - startedAt : notRunning
    this.#changed()
    // Not awaited: without a user's gesture it stays pending.
    this.#context.resume().catch(() => undefined)
    const loaded = this.#sound.prepare(requestedIdOf(track), positionMs)
    Promise.all([loaded, delay(this.#draw(latencyMs))]).then(
      () => command === this.#command && this.#sounds(track, positionMs),
      () => command === this.#command && this.#fails(),
    )
  }

  #sounds(track: Spotify.Track, positionMs: number): void {
    const isBlocked = this.settings.blocksAutoplay && !this.#events.isActivated()
    if (isBlocked || this.#context.state !== 'running') {
      this.#events.autoplayFailed()
      return this.#halt(positionMs)
    }
    const startedAt = this.#sound.start(requestedIdOf(track), track.duration_ms, positionMs)
    this.#isLoading = false
    this.#elapsedMs = () => Math.max(0, this.#context.currentTime - startedAt) * 1_000
    this.#changed()
    this.#waitForEnd(track)
  }

  #fails(): void {
    this.#events.playbackError('Playback error')
    this.#halt(this.#fromMs)
  }

  #halt(positionMs: number): void {
    this.#supersede()
    this.#isPaused = true
    this.#isLoading = false
    this.#fromMs = positionMs
    this.#elapsedMs = notRunning
    this.#changed()
  }

  #waitForEnd(track: Spotify.Track): void {
    const restMs = track.duration_ms - this.#fromMs - this.#elapsedMs()
    this.#endTimer = setTimeout(
      () => (restMs > 5 ? this.#waitForEnd(track) : this.#end()),
      Math.max(0, restMs),
    )
  }

  #end(): void {
    if (this.#tracks[this.#index + 1]) return this.#startTrack(this.#index + 1, 0)
    this.#hasEnded = true
    this.#halt(0)
  }

  /** Stops the sound and returns the number of the new command. */
  #supersede(): number {
    this.#sound.stop()
    clearTimeout(this.#endTimer)
    return (this.#command += 1)
  }

  #positionMs(): number {
    const duration = this.#tracks[this.#index]?.duration_ms ?? 0
    const error = this.#isPaused || this.#isLoading ? 0 : this.settings.positionErrorMs
    return Math.min(Math.max(0, this.#fromMs + this.#elapsedMs() + error), duration)
  }

  #changed(): void {
    this.#events.stateChanged(this.state)
    const command = this.#command
    if (!this.settings.repeatsStateEvents) return
    setTimeout(() => command === this.#command && this.#events.stateChanged(this.state), 30)
  }

  #draw([from, to]: [number, number]): number {
    return from + this.#random() * (to - from)
  }
}

/** The id that the Web API knows. The player reports another for a relinked track. */
export const requestedIdOf = (track: Spotify.Track): string => track.linked_from.id ?? track.id ?? ''

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

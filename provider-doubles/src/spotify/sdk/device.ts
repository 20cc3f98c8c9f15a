import type { DeviceEvent, DeviceReport, RegisterAnswer } from './messages.ts'
import { Playback, requestedIdOf } from './playback.ts'
import { seededRandom } from './seeded-random.ts'

/** The calls of a device to the player in the page. */
export interface DevicePage {
  emit(event: string, data: unknown): void
  /** Asks the page for an access token. */
  requestToken(): Promise<string>
}

/** A playback device of the user, connected to the server. */
export class Device {
  readonly #page: DevicePage
  readonly #context = new AudioContext()
  #isActivated = false
  #name = ''
  #volume = 1
  #id: string | null = null
  #playback: Playback | null = null
  #events: EventSource | null = null
  #isReady = false

  constructor(page: DevicePage) {
    this.#page = page
  }

  get playback(): Playback | null {
    return this.#playback
  }

  get volume(): number {
    return this.#volume
  }

  setName(name: string): void {
    this.#name = name
  }

  setVolume(volume: number): void {
    this.#volume = Math.min(1, Math.max(0, volume))
    this.#playback?.setVolume(this.#volume)
  }

  /** Allows sound. Called in a handler of a user's gesture. */
  activate(): void {
    this.#isActivated = true
    // Not awaited: without a gesture it stays pending.
    this.#context.resume().catch(() => undefined)
  }

  /** Registers the device. Refusals are emitted. @returns whether it was accepted */
  async connect(): Promise<boolean> {
    if (this.#id !== null) return true
    const token = await this.#page.requestToken()
    const answer = await this.#register(token)
    if ('event' in answer) {
      this.#page.emit(answer.event, { message: answer.message })
      return false
    }
    this.#id = answer.deviceId
    this.#playback = this.#createPlayback(answer)
    this.#playback.setVolume(this.#volume)
    this.#events = new EventSource(`/sdk/devices/${answer.deviceId}/events`)
    this.#events.addEventListener('message', ({ data }: MessageEvent<string>) =>
      this.#receive(JSON.parse(data)),
    )
    this.#events.addEventListener('error', () => this.#setReady(false))
    return true
  }

  /** A server that fails is reported as a player that cannot be initialised. */
  async #register(token: string): Promise<RegisterAnswer> {
    const failed = { event: 'initialization_error', message: 'Failed to initialize player' } as const
    const body = { token, name: this.#name, volume: this.#volume }
    const answer = await send<Partial<RegisterAnswer>>('/sdk/devices', body).catch(() => failed)
    return 'deviceId' in answer || 'event' in answer ? (answer as RegisterAnswer) : failed
  }

  disconnect(): void {
    this.#setReady(false)
    this.#events?.close()
    if (this.#id !== null) navigator.sendBeacon(`/sdk/devices/${this.#id}/gone`)
    this.#playback?.deactivate()
    this.#playback = null
    this.#id = null
  }

  #createPlayback({ seed, settings }: Extract<RegisterAnswer, { deviceId: string }>): Playback {
    return new Playback(this.#context, settings, seededRandom(seed), {
      isActivated: () => this.#isActivated,
      stateChanged: (state) => {
        this.#report(state)
        this.#page.emit('player_state_changed', state)
      },
      autoplayFailed: () => this.#page.emit('autoplay_failed', undefined),
      playbackError: (message) => this.#page.emit('playback_error', { message }),
    })
  }

  #receive(event: DeviceEvent): void {
    const playback = this.#playback
    if (!playback) return
    const handlers: { [Type in DeviceEvent['type']]: (event: Extract<DeviceEvent, { type: Type }>) => void } =
      {
        play: ({ tracks, positionMs }) => playback.play(tracks, positionMs),
        seek: ({ positionMs }) => playback.seek(positionMs),
        pause: () => playback.pause(),
        resume: () => playback.resume(),
        next: () => playback.skip(1),
        previous: () => playback.skip(-1),
        deactivate: () => playback.deactivate(),
        online: () => this.#setReady(true),
        offline: () => this.#setReady(false),
        token_expired: () => void this.#renewToken(),
        error: (error) => this.#page.emit(error.event, { message: error.message }),
        settings: ({ settings }) => (playback.settings = settings),
      }
    handlers[event.type](event as never)
  }

  #setReady(isReady: boolean): void {
    if (isReady === this.#isReady || this.#id === null) return
    this.#isReady = isReady
    this.#page.emit(isReady ? 'ready' : 'not_ready', { device_id: this.#id })
  }

  async #renewToken(): Promise<void> {
    const token = await this.#page.requestToken()
    const answer = await send<Partial<RegisterAnswer>>(`/sdk/devices/${this.#id}/token`, { token })
    if ('event' in answer && answer.event) this.#page.emit(answer.event, { message: answer.message })
  }

  #report(state: Spotify.PlaybackState | null): void {
    const report: DeviceReport = {
      paused: state?.paused ?? true,
      positionMs: state?.position ?? 0,
      trackId: state ? requestedIdOf(state.track_window.current_track) : null,
    }
    // The page may be closing: a report that is lost does no harm.
    send(`/sdk/devices/${this.#id}/state`, report).catch(() => undefined)
  }
}

async function send<Answer>(path: string, body: unknown): Promise<Answer> {
  const response = await fetch(path, { method: 'POST', body: JSON.stringify(body), keepalive: true })
  return (await response.json()) as Answer
}

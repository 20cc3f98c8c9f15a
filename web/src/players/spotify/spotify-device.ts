/// <reference types="spotify-web-playback-sdk" />
import { hasCode } from '@earshot/core/protocol/errors'
import { openProviderFrame, type ProviderFrame } from '../provider-frame.ts'
import { SpotifyProblem, toApiProblem, toSpotifyProblem } from './spotify-problem.ts'
import type { SpotifyToken } from './spotify-token.ts'
import { delay } from '../../timing.ts'
import { withTimeout } from './timeouts.ts'
import { wallNow } from '../../wall-clock.ts'

/** The globals that the SDK's script defines. */
interface SdkGlobals {
  Spotify: typeof Spotify
}

interface SpotifyDeviceParts {
  token: SpotifyToken
  /** A state of the device and when it was so; null while it is not the account's active one. */
  onState: (state: Spotify.PlaybackState | null, atClientMs: number) => void
  /** The browser refused to play. */
  onAutoplayFailed: () => void
  /** The connection to Spotify was lost; the SDK restores it by itself. */
  onNotReady: () => void
  onProblem: (problem: SpotifyProblem) => void
}

const readEveryMs = 250
const openTimeoutMs = 15_000
const commandTimeoutMs = 5_000
/** A start that was given up too early would be repeated for ever where Spotify is slow. */
const startTimeoutMs = 15_000
/** A device that was just registered may not be known to the Web API yet. */
const deviceNotFoundRetryMs = 1_000
const tokenRetryMs = 2_000
const tokenPatienceMs = 30_000

/**
 * This page as a Spotify device: the Web Playback SDK in a frame of its own. Commands run one after the other, because
 * Spotify does not promise to carry them out in order. All of them reject with a SpotifyProblem.
 */
export class SpotifyDevice {
  readonly #parts: SpotifyDeviceParts
  #frame: ProviderFrame<SdkGlobals> | null = null
  #window: (Window & SdkGlobals) | null = null
  #player: Spotify.Player | null = null
  #deviceId: string | null = null
  /** Null before it was set. */
  #volume: number | null = null
  #opening: Promise<void> | null = null
  #lastToken = ''
  #tokenRenewedAtMs = -Infinity
  #notBefore: SpotifyProblem | null = null
  #commands: Promise<unknown> = Promise.resolve()
  #watchTimer: ReturnType<typeof setInterval> | undefined
  #isClosed = false

  constructor(parts: SpotifyDeviceParts) {
    this.#parts = parts
  }

  /** Loads the SDK and registers the device; resolves when it is ready. Repeated calls share one attempt. */
  open(): Promise<void> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#release()
      throw toSpotifyProblem(error)
    })
    return this.#opening
  }

  /** Plays a track here from a position, ms, and makes this the account's active device. */
  play(uri: string, positionMs: number): Promise<void> {
    return this.#inOrder(async () => {
      const body = { uris: [uri], position_ms: Math.max(0, Math.round(positionMs)) }
      const problem = await this.#callPlay(body)
      if (problem) throw problem
    })
  }

  pause = (): Promise<void> => this.#command((player) => player.pause())

  /** Pauses what nobody controls, if it can. */
  silence(): void {
    this.pause().catch(() => undefined)
  }

  resume = (): Promise<void> => this.#command((player) => player.resume())

  /** Pauses at a position, ms, with the volume for the next start. */
  async pauseAt(positionMs: number, volume: number): Promise<void> {
    const seek = (player: Spotify.Player) => player.seek(Math.max(0, Math.round(positionMs)))
    await this.pause()
    await this.#command((player) => Promise.all([seek(player), this.#setVolume(player, volume)]))
  }

  /** Sets the volume, 0..1, unless it is set already. */
  async setVolume(volume: number): Promise<void> {
    if (volume !== this.#volume) await this.#command((player) => this.#setVolume(player, volume))
  }

  /** Reads the state four times a second, besides the states that the SDK sends. */
  watch(): void {
    this.#watchTimer ??= setInterval(() => void this.#readState(), readEveryMs)
  }

  unwatch(): void {
    clearInterval(this.#watchTimer)
    this.#watchTimer = undefined
  }

  /** Lets the SDK play sound. Must be called from a click or key press. */
  async activate(): Promise<void> {
    await this.#player?.activateElement()
  }

  /** Disconnects and removes the SDK for good. */
  close(): void {
    this.#isClosed = true
    this.unwatch()
    this.#release()
  }

  async #setVolume(player: Spotify.Player, volume: number): Promise<void> {
    if (volume === this.#volume) return
    this.#volume = null
    await player.setVolume(volume)
    this.#volume = volume
  }

  async #readState(): Promise<void> {
    const timer = this.#watchTimer
    const askedAtMs = wallNow()
    try {
      const state = await this.#player?.getCurrentState()
      // An answer of a watch that has ended may be older than the command that ended it.
      if (timer === this.#watchTimer && state !== undefined) {
        this.#parts.onState(state, (askedAtMs + wallNow()) / 2)
      }
    } catch {
      // The next reading follows.
    }
  }

  #release(): void {
    this.#opening = null
    this.#player?.disconnect()
    this.#player = null
    this.#deviceId = null
    this.#volume = null
    this.#window = null
    this.#frame?.close()
    this.#frame = null
  }

  async #open(): Promise<void> {
    // Without a token the SDK would only report that signing in failed.
    await this.#parts.token.get()
    if (this.#isClosed) throw new SpotifyProblem('The player was closed')
    this.#frame = openProviderFrame<SdkGlobals>(document.body, '/players/spotify', 'Spotify player')
    hide(this.#frame.element)
    const frameWindow = await withTimeout(this.#frame.ready, openTimeoutMs, "Spotify's player did not load")
    if (this.#isClosed) throw new SpotifyProblem('The player was closed')
    this.#window = frameWindow
    await withTimeout(this.#connect(frameWindow), openTimeoutMs, 'Spotify did not answer')
    // Ahead of the first track, which is loaded in silence. The player's own volume should be 0 already.
    this.setVolume(0).catch(() => undefined)
  }

  #connect({ Spotify: sdk }: SdkGlobals): Promise<void> {
    const player = new sdk.Player({
      name: 'Earshot',
      getOAuthToken: (answer) => void this.#answerToken(answer),
      volume: 0,
      // The page shows the room's track in the system's controls.
      enableMediaSession: false,
    })
    this.#player = player
    return new Promise((resolve, reject) => {
      this.#listen(player, resolve, (problem) =>
        this.#deviceId === null ? reject(problem) : this.#parts.onProblem(problem),
      )
      const refuse = () => reject(new SpotifyProblem('Spotify could not be reached'))
      player.connect().then((isConnected) => {
        if (!isConnected) setTimeout(refuse, refusalGraceMs)
      }, refuse)
    })
  }

  #listen(player: Spotify.Player, onReady: () => void, onProblem: (problem: SpotifyProblem) => void): void {
    player.addListener('ready', ({ device_id: deviceId }) => {
      this.#deviceId = deviceId
      onReady()
    })
    player.addListener('not_ready', () => this.#parts.onNotReady())
    player.addListener('player_state_changed', (state) => this.#parts.onState(state, wallNow()))
    player.addListener('autoplay_failed', () => this.#parts.onAutoplayFailed())
    player.addListener('initialization_error', (error) =>
      onProblem(new SpotifyProblem(messageOf(error), { reason: 'no_drm' })),
    )
    player.addListener('account_error', (error) =>
      onProblem(new SpotifyProblem(messageOf(error), { reason: 'no_premium' })),
    )
    player.addListener('playback_error', (error) =>
      onProblem(new SpotifyProblem(messageOf(error), { isOfTrack: true })),
    )
    player.addListener('authentication_error', (error) => {
      const isNew = Date.now() - this.#tokenRenewedAtMs < renewEveryMs
      if (isNew) return onProblem(new SpotifyProblem(messageOf(error), { reason: 'not_connected' }))
      this.#tokenRenewedAtMs = Date.now()
      this.#parts.token.drop(this.#lastToken)
      player.connect().catch(onProblem)
    })
  }

  /** Answers with a token. Retries while the server does not answer, as during a restart: the track plays on. */
  async #answerToken(answer: (token: string) => void): Promise<void> {
    const giveUpAtMs = wallNow() + tokenPatienceMs
    while (!this.#isClosed) {
      try {
        this.#lastToken = await this.#parts.token.get()
        return answer(this.#lastToken)
      } catch (error) {
        const isPassing = hasCode(error, 'unavailable') && wallNow() < giveUpAtMs
        if (!isPassing) return this.#parts.onProblem(toSpotifyProblem(error))
        await delay(tokenRetryMs)
      }
    }
  }

  /** Returns null when Spotify accepted the command. */
  async #callPlay(body: unknown): Promise<SpotifyProblem | null> {
    if (this.#notBefore?.retryAtMs && Date.now() < this.#notBefore.retryAtMs) return this.#notBefore
    let answer = await this.#fetchPlay(body)
    if (answer.status === 401) answer = await this.#fetchPlay(body)
    if (answer.status === 404) {
      await delay(deviceNotFoundRetryMs)
      answer = await this.#fetchPlay(body)
    }
    // Spotify forgets devices, as after sleep, and never knows them again: the next `open` registers another one.
    if (answer.status === 404 && /device/i.test(answer.text)) this.#release()
    const problem = toApiProblem(answer.status, answer.retryAfterS, answer.text)
    this.#notBefore = problem?.retryAtMs ? problem : null
    return problem
  }

  async #fetchPlay(body: unknown): Promise<{ status: number; retryAfterS: number | null; text: string }> {
    if (!this.#window || this.#deviceId === null) throw new SpotifyProblem('Spotify is not connected')
    const token = await this.#parts.token.get()
    const apiUrl = (this.#window.document.documentElement.dataset['apiUrl'] ?? '').replace(/\/$/, '')
    // The frame's own fetch: only its document may call Spotify.
    const response = await this.#window.fetch(
      `${apiUrl}/v1/me/player/play?device_id=${encodeURIComponent(this.#deviceId)}`,
      {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(startTimeoutMs),
      },
    )
    if (response.status === 401) this.#parts.token.drop(token)
    const retryAfterS = Number(response.headers.get('retry-after') ?? NaN)
    return {
      status: response.status,
      retryAfterS: Number.isFinite(retryAfterS) ? retryAfterS : null,
      text: response.ok ? '' : await response.text().catch(() => ''),
    }
  }

  #command(run: (player: Spotify.Player) => Promise<unknown>): Promise<void> {
    return this.#inOrder(async () => {
      if (!this.#player) throw new SpotifyProblem('Spotify is not connected')
      await withTimeout(run(this.#player), commandTimeoutMs, 'Spotify did not answer')
    })
  }

  #inOrder(task: () => Promise<void>): Promise<void> {
    const run = this.#commands.then(task)
    this.#commands = run.catch(() => undefined)
    return run.catch((error: unknown) => {
      throw toSpotifyProblem(error)
    })
  }
}

/** After a refused connection the SDK states the reason in an event, and the token may be renewed. */
const refusalGraceMs = 5_000
/** A new token that is refused as well is not renewed again. */
const renewEveryMs = 60_000

/** A frame that is not rendered may not play. */
function hide(frame: HTMLIFrameElement): void {
  frame.tabIndex = -1
  frame.setAttribute('aria-hidden', 'true')
  frame.style.cssText =
    'position:fixed;inset:auto auto 0 0;width:1px;height:1px;border:0;opacity:0;pointer-events:none'
}

/** The script does not always state a message. */
const messageOf = (error: { message?: string } | null | undefined): string =>
  error?.message ?? 'Spotify reported a problem'

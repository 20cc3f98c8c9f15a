import type { FrameMessage, PageMessage, PlayerMethod } from './messages.ts'

// Served as /spotify-player.js: a classic script, so it has imports of types only. The player itself runs in a frame of
// the provider's origin, as the real one does.
{
  const script = document.currentScript
  const origin = script instanceof HTMLScriptElement ? new URL(script.src).origin : location.origin
  const frame = document.createElement('iframe')
  const players = new Map<string, Player>()
  type Listener = (data: never) => void

  class Player implements Spotify.Player {
    readonly _options: Spotify.PlayerInit & { id: string }
    readonly #listeners = new Map<string, Set<Listener>>()
    readonly #calls = new Map<number, (value: never) => void>()
    #lastCall = 0

    constructor(options: Spotify.PlayerInit) {
      if (typeof options.getOAuthToken !== 'function') throw new TypeError('getOAuthToken must be a function')
      this._options = { volume: 1, ...options, id: crypto.randomUUID() }
      players.set(this._options.id, this)
    }

    addListener = ((event: string, listener: Listener) => {
      const listeners = this.#listeners.get(event) ?? new Set()
      this.#listeners.set(event, listeners.add(listener))
      return true
    }) as Spotify.AddListenerFn

    on = this.addListener

    removeListener(event: string, listener?: Listener): void {
      if (listener) this.#listeners.get(event)?.delete(listener)
      else this.#listeners.delete(event)
    }

    connect = async (): Promise<boolean> => {
      await this.#call('setName', this._options.name)
      await this.#call('setVolume', this._options.volume)
      return this.#call<boolean>('connect')
    }
    disconnect = (): void => void this.#call('disconnect')
    getCurrentState = () => this.#call<Spotify.PlaybackState | null>('getCurrentState')
    getVolume = () => this.#call<number>('getVolume')
    setVolume = (volume: number) => this.#call<void>('setVolume', volume)
    setName = (name: string) => this.#call<void>('setName', name)
    pause = () => this.#call<void>('pause')
    resume = () => this.#call<void>('resume')
    togglePlay = () => this.#call<void>('togglePlay')
    seek = (positionMs: number) => this.#call<void>('seek', positionMs)
    nextTrack = () => this.#call<void>('nextTrack')
    previousTrack = () => this.#call<void>('previousTrack')
    activateElement = () => this.#call<void>('activateElement')

    receive(message: FrameMessage): void {
      if ('needsToken' in message) {
        this._options.getOAuthToken((token) => post({ player: this._options.id, token }))
      } else if ('event' in message) {
        for (const listener of this.#listeners.get(message.event) ?? []) listener(message.data as never)
      } else if ('call' in message) {
        this.#calls.get(message.call)?.(message.value as never)
        this.#calls.delete(message.call)
      }
    }

    #call<Value>(method: PlayerMethod, argument?: number | string): Promise<Value> {
      const call = (this.#lastCall += 1)
      post({ player: this._options.id, call, method, ...(argument === undefined ? {} : { argument }) })
      return new Promise((resolve) => this.#calls.set(call, resolve))
    }
  }

  function post(message: PageMessage): void {
    frame.contentWindow?.postMessage(message, origin)
  }

  addEventListener('message', (event: MessageEvent<FrameMessage>) => {
    if (event.source !== frame.contentWindow || event.origin !== origin) return
    if ('player' in event.data) return players.get(event.data.player)?.receive(event.data)
    window.Spotify = { Player }
    if (typeof window.onSpotifyWebPlaybackSDKReady !== 'function') {
      throw new Error('onSpotifyWebPlaybackSDKReady is not defined')
    }
    window.onSpotifyWebPlaybackSDKReady()
  })

  frame.src = `${origin}/embedded/index.html`
  frame.allow = 'encrypted-media; autoplay'
  frame.setAttribute('aria-hidden', 'true')
  frame.tabIndex = -1
  Object.assign(frame.style, { position: 'absolute', width: '0', height: '0', left: '-9999px', border: '0' })
  const insert = () => document.body.append(frame)
  if (document.body) insert()
  else addEventListener('DOMContentLoaded', insert)
}

import type { FromFrame, PlayerInfo, ToFrame } from './widget-protocol.ts'

/**
 * The script that `iframe_api` loads into a page: `YT.Player` and `YT.PlayerState`. Served as a classic script, so nothing
 * but types may be imported. A player's methods appear when its frame has answered, as those of the real one.
 */

type Listener = (event: { target: WidgetPlayer; data: unknown }) => void
type DoubleWindow = Window & {
  YT: Record<string, unknown>
  YTConfig: { host: string }
  onYTReady: () => void
}

const page = window as unknown as DoubleWindow
const pollMs = 250
const allowed =
  'accelerometer; autoplay; clipboard-write; encrypted-media; gyroscope; picture-in-picture; web-share'
let players = 0

class WidgetPlayer {
  playerInfo: Partial<PlayerInfo> = {}
  readonly id = (players += 1)
  readonly #host: string
  readonly #options: YT.PlayerOptions
  readonly #replaced: Element | null
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #receive = (message: MessageEvent) => this.#onMessage(message)
  #frame: HTMLIFrameElement | null
  #poll: ReturnType<typeof setInterval> | undefined
  /** Commands given before the frame has answered. */
  #queue: ToFrame[] | null = []

  constructor(container: Element | string, options: YT.PlayerOptions = {}) {
    const element = typeof container === 'string' ? document.getElementById(container) : container
    if (!element) throw new Error('YouTube player element ID required.')
    this.#options = options
    this.#host = options.host ?? page.YTConfig.host
    this.#replaced = element instanceof HTMLIFrameElement ? null : element
    this.#frame = element instanceof HTMLIFrameElement ? element : this.#createFrame(element)
    if (this.#frame.id === '') this.#frame.id = `widget${this.id}`
    window.addEventListener('message', this.#receive)
    this.#startPolling()
    this.#frame.addEventListener('load', () => this.#startPolling())
    for (const [name, listener] of Object.entries(options.events ?? {})) {
      this.addEventListener(name, listener as Listener)
    }
  }

  addEventListener(name: string, listener: Listener | string): this {
    const known = this.#listeners.get(name)
    const added: Listener =
      typeof listener === 'string'
        ? (event) => (window as unknown as Record<string, Listener>)[listener]?.(event)
        : listener
    if (known) known.add(added)
    else {
      this.#listeners.set(name, new Set([added]))
      this.#command('addEventListener', [name])
    }
    return this
  }

  removeEventListener(name: string, listener: Listener): void {
    this.#listeners.get(name)?.delete(listener)
  }

  getIframe(): HTMLIFrameElement | null {
    return this.#frame
  }

  setSize(width: number, height: number): this {
    if (this.#frame) Object.assign(this.#frame, { width: String(width), height: String(height) })
    return this
  }

  getVideoEmbedCode(): string {
    return `<iframe src="${this.#frame?.src ?? ''}"></iframe>`
  }

  destroy(): void {
    clearInterval(this.#poll)
    window.removeEventListener('message', this.#receive)
    this.#listeners.clear()
    if (this.#replaced) this.#frame?.replaceWith(this.#replaced)
    else this.#frame?.remove()
    this.#frame = null
  }

  #createFrame(element: Element): HTMLIFrameElement {
    const { videoId = '', width = 640, height = 360, playerVars = {} } = this.#options
    if (videoId !== '' && !/^[\w-]{11}$/.test(videoId)) throw new Error('Invalid video id')
    const frame = document.createElement('iframe')
    for (const { name, value } of element.attributes) if (value !== '') frame.setAttribute(name, value)
    const vars = { ...playerVars, enablejsapi: '1', origin: location.origin, widgetid: String(this.id) }
    const query = new URLSearchParams(Object.entries(vars).map(([name, value]) => [name, String(value)]))
    frame.setAttribute('frameborder', '0')
    frame.setAttribute('allowfullscreen', '')
    frame.allow = allowed
    frame.title = 'YouTube video player'
    frame.width = String(width)
    frame.height = String(height)
    frame.src = `${this.#host}/embed/${videoId}?${query}`
    element.replaceWith(frame)
    return frame
  }

  #startPolling(): void {
    clearInterval(this.#poll)
    this.#poll = setInterval(() => {
      if (this.#frame?.contentWindow) this.#post({ event: 'listening', id: this.id, channel: 'widget' })
      else clearInterval(this.#poll)
    }, pollMs)
  }

  #command(func: string, args: unknown[]): void {
    const hasGesture = navigator.userActivation?.hasBeenActive ?? false
    const command: ToFrame = { event: 'command', func, args, id: this.id, channel: 'widget', hasGesture }
    if (this.#queue) this.#queue.push(command)
    else this.#post(command)
  }

  #post(message: ToFrame): void {
    if (!this.#frame?.contentWindow) {
      // oxlint-disable-next-line no-console -- The real script warns in the same way.
      console.warn('The YouTube player is not attached to the DOM.')
      return
    }
    this.#frame.contentWindow.postMessage(JSON.stringify(message), new URL(this.#frame.src).origin)
  }

  #onMessage(message: MessageEvent): void {
    if (message.origin !== this.#host || typeof message.data !== 'string') return
    const { event, id, info } = JSON.parse(message.data) as FromFrame
    if (id !== this.id) return
    const queue = this.#queue ?? []
    this.#queue = null
    for (const command of queue) this.#post(command)
    if (event === 'initialDelivery') this.#initialize(info as PlayerInfo)
    else if (event === 'infoDelivery') Object.assign(this.playerInfo, info)
    else for (const listener of this.#listeners.get(event) ?? []) listener({ target: this, data: info })
  }

  #initialize(info: PlayerInfo): void {
    clearInterval(this.#poll)
    this.playerInfo = {}
    for (const name of info.apiInterface ?? []) if (!(name in this)) this.#addMethod(name)
    Object.assign(this.playerInfo, info)
  }

  /** Getters read what the frame sent last. Loading forgets it, so until the frame answers they return undefined. */
  #addMethod(name: string): void {
    const [, getter] = /^(?:get|is)(.+)$/.exec(name) ?? []
    const field = getter === undefined ? '' : getter.charAt(0).toLowerCase() + getter.slice(1)
    const method =
      name === 'getCurrentTime'
        ? () => this.#readCurrentTime()
        : getter !== undefined
          ? () => this.playerInfo[field as keyof PlayerInfo]
          : (...args: unknown[]) => {
              if (/^(?:load|cue)/.test(name)) this.playerInfo = {}
              this.#command(name, args)
              return this
            }
    Object.defineProperty(this, name, { value: method, configurable: true, writable: true })
  }

  /** While playing, the last position moves on with the clock, by at most 1 s. */
  #readCurrentTime(): number | undefined {
    const { currentTime, playerState, currentTimeLastUpdated_ = 0, playbackRate = 1 } = this.playerInfo
    if (currentTime === undefined || playerState !== 1) return currentTime
    const elapsed = (Date.now() / 1_000 - currentTimeLastUpdated_) * playbackRate
    return currentTime + Math.min(Math.max(elapsed, 0), 1)
  }
}

Object.assign(page.YT, {
  Player: WidgetPlayer,
  PlayerState: { UNSTARTED: -1, ENDED: 0, PLAYING: 1, PAUSED: 2, BUFFERING: 3, CUED: 5 },
})
page.onYTReady()

/**
 * The part of the browser's audio element that depends on the device; jsdom has none. It is an iPhone's: it loads the
 * start of a file only until it plays, and plays only once it was loaded or played in a gesture.
 */
export class DeviceElement extends EventTarget {
  static gesture = false
  static readonly made: DeviceElement[] = []
  /** Holds the sound, as a call does. */
  static isInCall = false
  src = ''
  currentTime = 0
  playbackRate = 1
  readyState = 0
  networkState = 0
  paused = true
  ended = false
  readonly error = null
  #isAllowed = false

  constructor() {
    super()
    DeviceElement.made.push(this)
  }

  load(): void {
    this.#isAllowed ||= DeviceElement.gesture
    this.paused = true
    this.ended = false
    if (this.src !== '') this.#tell({ readyState: 1, networkState: 2 }, 'loadedmetadata')
  }

  removeAttribute(): void {
    this.src = ''
    this.readyState = 0
  }

  async play(): Promise<void> {
    this.#isAllowed ||= DeviceElement.gesture
    if (!this.#isAllowed) throw new DOMException('', 'NotAllowedError')
    this.paused = false
    if (DeviceElement.isInCall) return new Promise(() => undefined)
    this.#tell({ readyState: 4 }, 'canplay', 'playing')
  }

  pause(): void {
    if (this.paused) return
    this.paused = true
    this.#tell({}, 'pause')
  }

  /** The track ends. */
  end(): void {
    this.#tell({ paused: true, ended: true }, 'pause', 'ended')
  }

  /** Events come after the call. */
  #tell(change: Partial<DeviceElement>, ...events: string[]): void {
    Object.assign(this, change)
    setTimeout(() => {
      for (const name of events) this.dispatchEvent(new Event(name))
    })
  }
}

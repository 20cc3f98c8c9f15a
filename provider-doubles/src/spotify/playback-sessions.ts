/// <reference types="spotify-web-playback-sdk" />
import { randomBytes } from 'node:crypto'
import type { AccountsState } from './accounts-state.ts'
import type { DeviceEvent, DeviceReport, SdkSettings } from './sdk/messages.ts'
import { seededRandom } from './sdk/seeded-random.ts'

/** A playback device of a user. One without a page, such as a phone, only pretends to play. */
export interface PlaybackDevice {
  id: string
  userId: string
  name: string
  volume: number
  accessToken: string
  /** Whether the page was asked for another token. */
  isRenewing: boolean
  isOnline: boolean
  hasPage: boolean
  registeredAt: number
  report: DeviceReport & { atMs: number }
  /** Sends to the page; null until it listens. */
  send: ((event: DeviceEvent) => void) | null
}

/** Settings of the commands that the Web API sends to devices. */
export interface CommandSettings {
  /** From the answer of the Web API to the effect, ms. A wide range lets commands overtake each other. */
  delayMs: [number, number]
  /** How long the Web API does not know a fresh device yet, ms. */
  freshDeviceUnknownMs: number
}

const nothing = { paused: true, positionMs: 0, trackId: null }

/** Which devices exist, and which one plays for each user. */
export class PlaybackSessions {
  readonly settings: CommandSettings = { delayMs: [0, 0], freshDeviceUnknownMs: 0 }
  sdkSettings: SdkSettings = {
    startLatencyMs: [300, 1_500],
    seekLatencyMs: [100, 400],
    resumeLatencyMs: [20, 80],
    runsWhileBuffering: true,
    positionErrorMs: 0,
    repeatsStateEvents: false,
    blocksAutoplay: false,
  }
  readonly devices = new Map<string, PlaybackDevice>()
  readonly #activeIds = new Map<string, string>()
  readonly #accounts: AccountsState
  readonly #random: () => number
  readonly #seed: number
  #registered = 0

  constructor(accounts: AccountsState, seed: number) {
    this.#accounts = accounts
    this.#seed = seed
    this.#random = seededRandom(seed)
  }

  /** Registers a device. @returns the device and the seed of its latencies */
  register(userId: string, name: string, volume: number, accessToken: string | null) {
    const device: PlaybackDevice = {
      id: randomBytes(20).toString('hex'),
      userId,
      name,
      volume,
      accessToken: accessToken ?? '',
      isRenewing: false,
      isOnline: true,
      hasPage: accessToken !== null,
      registeredAt: Date.now(),
      report: { ...nothing, atMs: Date.now() },
      send: null,
    }
    this.devices.set(device.id, device)
    this.#registered += 1
    return { device, seed: this.#seed * 1_000 + this.#registered }
  }

  remove(deviceId: string): void {
    const device = this.devices.get(deviceId)
    this.devices.delete(deviceId)
    if (device && this.#activeIds.get(device.userId) === deviceId) this.#activeIds.delete(device.userId)
  }

  devicesOf(userId: string): PlaybackDevice[] {
    return [...this.devices.values()].filter((device) => device.userId === userId && device.isOnline)
  }

  activeDevice(userId: string): PlaybackDevice | undefined {
    const device = this.devices.get(this.#activeIds.get(userId) ?? '')
    return device?.isOnline ? device : undefined
  }

  /** Finds a device that the Web API knows: the given one, or the active one. */
  findDevice(userId: string, deviceId: string | null): PlaybackDevice | undefined {
    if (deviceId === null) return this.activeDevice(userId)
    const device = this.devicesOf(userId).find(({ id }) => id === deviceId)
    const isKnown = device && Date.now() - device.registeredAt >= this.settings.freshDeviceUnknownMs
    return isKnown ? device : undefined
  }

  /** Sends a command to a device after the delay. A command to play makes the device the active one. */
  command(device: PlaybackDevice, event: DeviceEvent): void {
    const [from, to] = this.settings.delayMs
    const delayMs = from + this.#random() * (to - from)
    const apply = () => {
      if (event.type === 'play' || event.type === 'resume') this.#activate(device)
      if (!device.hasPage) this.report(device, pretend(device.report, event))
      device.send?.(event)
    }
    if (delayMs > 0) setTimeout(apply, delayMs).unref()
    else apply()
  }

  report(device: PlaybackDevice, report: DeviceReport): void {
    device.report = { ...report, atMs: Date.now() }
  }

  /** Where a device is now, ms. */
  progressOf({ report }: PlaybackDevice): number {
    return report.paused ? report.positionMs : report.positionMs + Date.now() - report.atMs
  }

  /** Tells the devices of a user, or all, something that is no command. */
  notify(userId: string | null, event: DeviceEvent): void {
    for (const device of this.devices.values()) {
      if (userId === null || device.userId === userId) device.send?.(event)
    }
  }

  setOnline(userId: string, isOnline: boolean): void {
    for (const device of this.devices.values()) if (device.userId === userId) device.isOnline = isOnline
    this.notify(userId, { type: isOnline ? 'online' : 'offline' })
  }

  /** Asks for a new token where the current one has expired. */
  checkTokens(): void {
    for (const device of this.devices.values()) {
      const token = this.#accounts.accessTokens.get(device.accessToken)
      const isExpired = !token || token.expiresAt <= this.#accounts.clock.now()
      if (!isExpired) device.isRenewing = false
      else if (device.send && !device.isRenewing) {
        device.isRenewing = true
        device.send({ type: 'token_expired' })
      }
    }
  }

  #activate(device: PlaybackDevice): void {
    const former = this.activeDevice(device.userId)
    this.#activeIds.set(device.userId, device.id)
    if (former && former !== device) {
      this.report(former, nothing)
      former.send?.({ type: 'deactivate' })
    }
  }
}

/** Returns the report of a device without a page after a command. */
function pretend(report: DeviceReport, event: DeviceEvent): DeviceReport {
  if (event.type === 'play') {
    return { paused: false, positionMs: event.positionMs, trackId: event.tracks[0]?.id ?? null }
  }
  if (event.type === 'seek') return { ...report, positionMs: event.positionMs }
  if (event.type === 'pause') return { ...report, paused: true }
  return event.type === 'resume' ? { ...report, paused: false } : report
}

import type { Track } from '@earshot/core/protocol/entities'
import type { PositionSample } from '@earshot/core/sync/follow/player-state'
import { createFakePlayer, deviceOptions } from '@earshot/core/testing/fake-player'
import type { Due, LoadOptions, Player, PlayerEvent } from '../player.ts'
import { delay } from '../../timing.ts'
import { wallNow } from '../../wall-clock.ts'

/** A library player without sound that records its calls. Uses the test's clock. */
export class SilentPlayer implements Player {
  readonly capabilities = deviceOptions.library.capabilities
  readonly calls: string[] = []
  /** Where it would buffer, for each load. */
  readonly bufferedFromMs: number[] = []
  /** The ids of the tracks that were to follow, for each load. */
  readonly followedBy: (string | undefined)[] = []
  /** When what sounded before was to stop, ms from each call. */
  readonly stopsBeforeInMs: number[] = []
  isDisposed = false
  isPrepared = false
  volume = 1
  readonly #device = createFakePlayer(deviceOptions.library)
  readonly #listeners = new Set<(event: PlayerEvent) => void>()

  connect(): Promise<void> {
    this.calls.push('connect')
    return Promise.resolve()
  }

  async load(track: Track, positionMs: number, options: LoadOptions = {}): Promise<void> {
    const { playsFromMs = positionMs, beforeUntilMs = 0, next } = options
    this.bufferedFromMs.push(playsFromMs)
    this.followedBy.push(next?.id)
    const goesOn =
      beforeUntilMs === Infinity ? 'ends' : `stops in ${Math.round(beforeUntilMs - wallNow())} ms`
    const before = beforeUntilMs > 0 ? `, the one before ${goesOn}` : ''
    this.calls.push(`load ${track.id} at ${Math.round(positionMs)}${before}`)
    this.#device.apply({ type: 'load', trackId: track.id, positionMs }, wallNow())
    await delay(deviceOptions.library.loadMs)
    this.emit({ type: 'status', status: 'ready' })
  }

  prepare(track: Track, due: Due): boolean {
    this.calls.push(`prepare ${track.id}, due ${due}`)
    return this.isPrepared
  }

  play(positionMs: number, atClientMs: number): Promise<void> {
    this.calls.push('play')
    this.#device.apply({ type: 'play', positionMs, atClientMs }, wallNow())
    return Promise.resolve()
  }

  pause(positionMs: number, atClientMs = wallNow()): Promise<void> {
    this.calls.push(`pause at ${Math.round(positionMs)}`)
    this.#device.apply({ type: 'pause', positionMs, atClientMs }, wallNow())
    return Promise.resolve()
  }

  stopBefore(atClientMs: number): void {
    this.stopsBeforeInMs.push(Math.round(atClientMs - wallNow()))
  }

  setRate(rate: number): void {
    this.#device.apply({ type: 'setRate', rate }, wallNow())
  }

  setVolume(volume: number): void {
    this.volume = volume
  }

  sample(): PositionSample | null {
    return this.#device.sample(wallNow())
  }

  subscribe(listener: (event: PlayerEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  unlock(): Promise<void> {
    this.calls.push('unlock')
    return Promise.resolve()
  }

  dispose(): void {
    this.isDisposed = true
    this.#listeners.clear()
  }

  emit(event: PlayerEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}

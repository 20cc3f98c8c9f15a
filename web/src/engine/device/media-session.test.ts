import { initialClock, estimateClock } from '@earshot/core/sync/clock/clock-offset'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startMediaSession } from './media-session.ts'
import { createRoomStore, type RoomState, update } from '../state/room-state.ts'
import { applySnapshot } from '../state/server-updates.ts'
import { emptyRoom, makeSnapshot, makeState, ownerId } from '../testing/room-fixtures.ts'

/** The browser's media session, which jsdom does not have. */
class SystemControls {
  metadata: MediaMetadataInit | null = null
  playbackState = 'none'
  position: MediaPositionState | undefined
  readonly handlers = new Map<string, (details: object) => void>()

  setActionHandler(action: string, handler: ((details: object) => void) | null): void {
    if (handler) this.handlers.set(action, handler)
    else this.handlers.delete(action)
  }

  setPositionState(position?: MediaPositionState): void {
    this.position = position
  }

  press(action: string, details: object = {}): void {
    this.handlers.get(action)?.({ action, ...details })
  }
}

let controls: SystemControls
beforeEach(() => {
  controls = new SystemControls()
  Object.assign(navigator, { mediaSession: controls })
  Object.assign(globalThis, {
    MediaMetadata: class {
      constructor(metadata: MediaMetadataInit) {
        Object.assign(this, metadata)
      }
    },
  })
})
afterEach(() => {
  Reflect.deleteProperty(navigator, 'mediaSession')
  Reflect.deleteProperty(globalThis, 'MediaMetadata')
})

/** Starts the media session of a member in a playing room; gives what it sends and does. */
function start(userId: string) {
  const state = makeState({ isPlaying: true, positionMs: 20_000, sequenceNumber: 200 })
  const store = createRoomStore(applySnapshot(emptyRoom(userId), makeSnapshot({ state })))
  const sent: unknown[] = []
  const done: string[] = []
  const stop = startMediaSession({
    roomId: 'room',
    store,
    connection: {
      isConnected: () => true,
      call: (_name: string, payload: unknown) => {
        const { command, position } = payload as { command?: string; position?: number }
        sent.push([command, position])
        return Promise.resolve({ applied: true, state }) as never
      },
    },
    clock: { serverNow: () => 0, serverTimeOf: () => 0, estimate: () => estimateClock(initialClock, 0) },
    lastSentAtMs: null,
    actions: {
      pauseHere: () => done.push('pause here'),
      playHere: () => done.push('play here'),
      positionNow: () => 20_000,
    },
  })
  const change = (part: Partial<RoomState>) => update(store, (before) => ({ ...before, ...part }))
  return { sent, done, change, store, stop }
}

it('12.25a the system shows the track with its position and duration', () => {
  const { change, store, stop } = start(ownerId)
  expect(controls.metadata).toMatchObject({ title: 'Track a', artist: 'Lanterns' })
  expect(controls.playbackState).toBe('playing')
  expect(controls.position).toEqual({ duration: 60, position: 20, playbackRate: 1 })
  const { confirmed } = store.getState()
  change({ confirmed: { ...confirmed, timeline: { ...confirmed.timeline, durationMs: null } } })
  expect(controls.position).toBeUndefined()
  // 17.495 A track that is cued can be paused.
  change({
    confirmed: { ...confirmed, timeline: { ...confirmed.timeline, isPlaying: false, isCueing: true } },
  })
  expect(controls.playbackState).toBe('playing')
  change({ ownSound: 'paused' })
  expect(controls.playbackState).toBe('paused')
  stop()
  expect(controls).toMatchObject({ metadata: null, playbackState: 'none' })
  expect(controls.handlers.size).toBe(0)
})

it("12.25b the owner's keys act on the room, also to seek", () => {
  const { sent, done } = start(ownerId)
  controls.press('pause')
  controls.press('nexttrack')
  controls.press('seekto', { seekTime: 42 })
  controls.press('seekbackward', { seekOffset: 30 })
  controls.press('seekforward')
  expect(sent).toEqual([
    ['pause', undefined],
    ['next', undefined],
    ['seek', 42_000],
    ['seek', 0],
    ['seek', 30_000],
  ])
  expect(done).toEqual([])
})

it("12.25b a listener's keys act on the own sound only", () => {
  const { sent, done, change, store } = start('guest')
  expect([...controls.handlers.keys()].toSorted()).toEqual(['pause', 'play'])
  controls.press('pause')
  change({ ownSound: 'paused' })
  controls.press('play')
  expect(done).toEqual(['pause here', 'play here'])
  const { confirmed } = store.getState()
  const timeline = { ...confirmed.timeline, source: 'spotify' as const }
  change({ ownSound: 'on', isSpotifyElsewhere: true, confirmed: { ...confirmed, timeline } })
  controls.press('play')
  expect(done).toEqual(['pause here', 'play here', 'play here'])
  expect(sent).toEqual([])
})

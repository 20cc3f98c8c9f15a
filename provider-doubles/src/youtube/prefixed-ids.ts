import type { PlayerBehaviour } from './player/behaviour.ts'
import { toVideo, type DoubleVideo } from './videos.ts'

interface PrefixedKind {
  title: string
  behaviour: Partial<PlayerBehaviour>
  video?: Partial<DoubleVideo>
  /** Whether neither the API nor the player finds such a video. */
  isMissing?: boolean
}

const stallAt = (state: 'playing' | 'buffering') => ({ stall: { atMs: 5_000, forMs: 4_000, state } })

/**
 * Video ids of these beginnings exist without being added, with a behaviour of their own: `AD_` and any eight characters
 * is a video with an advertisement before it. The length of every id is 11.
 */
export const prefixedKinds = {
  OK_: { title: 'An ordinary video', behaviour: {} },
  SHORT_: { title: 'Eight seconds', behaviour: {}, video: { durationMs: 8_000 } },
  LONG_: { title: 'Eleven minutes', behaviour: {}, video: { durationMs: 660_000 } },
  LIVE_: { title: 'A live stream', behaviour: {}, video: { isLive: true, durationMs: 0 } },
  E2_: { title: 'Error 2', behaviour: { error: 2 } },
  E5_: { title: 'Error 5', behaviour: { error: 5 } },
  E100_: { title: 'Error 100', behaviour: { error: 100 }, isMissing: true },
  E101_: { title: 'Error 101', behaviour: { error: 101 }, video: { isEmbeddable: false } },
  E150_: { title: 'Error 150', behaviour: { error: 150 }, video: { isEmbeddable: false } },
  E153_: { title: 'Error 153', behaviour: { error: 153 } },
  AD_: {
    title: 'An ad of 5 s before the video, time stands still',
    behaviour: { ad: { atMs: 0, durationMs: 5_000, clock: 'still' } },
  },
  ADOWN_: {
    title: 'An ad of 5 s before the video, with its own time',
    behaviour: { ad: { atMs: 0, durationMs: 5_000, clock: 'own' } },
  },
  ADLENGTH_: {
    title: 'An ad of 5 s before the video, with its own time and duration',
    behaviour: { ad: { atMs: 0, durationMs: 5_000, clock: 'own', states: 'own' } },
  },
  MIDAD_: {
    title: 'An ad of 5 s in the middle, time stands still',
    behaviour: { ad: { atMs: 5_000, durationMs: 5_000, clock: 'still' } },
  },
  STALL_: { title: 'Stalls for 4 s while playing', behaviour: stallAt('playing') },
  BUFFER_: { title: 'Buffers for 4 s', behaviour: stallAt('buffering') },
  COARSE_: {
    title: 'Rates in steps of 0.25',
    behaviour: { rates: 'coarse' },
    video: { durationMs: 660_000 },
  },
  FAKE_: { title: 'Rates that read back only', behaviour: { rates: 'read_back_only' } },
  BLOCK_: { title: 'Autoplay is blocked', behaviour: { isAutoplayBlocked: true } },
  SLOW_: { title: 'Starts after 1.5 s', behaviour: { startLatencyMs: 1_500, seekLatencyMs: 1_500 } },
} satisfies Record<string, PrefixedKind>

const videoIdPattern = /^[\w-]{11}$/

/** Whether YouTube could have given a video this id. */
export const isVideoId = (id: string): boolean => videoIdPattern.test(id)

/** Completes a prefix to a video id: `toPrefixedId('AD_', 2)` is `AD_00000002`. */
export function toPrefixedId(prefix: keyof typeof prefixedKinds, number = 1): string {
  return `${prefix}${String(number).padStart(11 - prefix.length, '0')}`
}

function kindOf(id: string): PrefixedKind | null {
  const prefix = /^[A-Z]+\d*_/.exec(id)?.[0] ?? ''
  return isVideoId(id)
    ? (new Map<string, PrefixedKind>(Object.entries(prefixedKinds)).get(prefix) ?? null)
    : null
}

/** Returns the video of an id with a known prefix; null for other ids. */
export function videoFromPrefix(id: string): DoubleVideo | null {
  const kind = kindOf(id)
  return kind && !kind.isMissing ? toVideo({ id, title: kind.title, ...kind.video }) : null
}

/** Returns how the player behaves for an id with a known prefix; nothing special for other ids. */
export const behaviourFromPrefix = (id: string): Partial<PlayerBehaviour> => kindOf(id)?.behaviour ?? {}

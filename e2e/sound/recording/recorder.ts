import { setTimeout as delay } from 'node:timers/promises'
import { medianSkew } from '../skew/median-skew.ts'
import { cut, longestGapMs, loudness, takeListener } from './recording.ts'
import { judgeSession, type SessionWindow } from '../skew/session-windows.ts'
import type { Skew } from '../skew/skew.ts'
import { startSoundServer } from './sound-server.ts'
import { toSounds } from '../skew/sounds.ts'

/** Records the sound of all listeners at once. */
export interface Recorder {
  /** Environment for the browser of a listener. */
  environment(listener: number): Record<string, string>
  /** Starts a recording that lasts until the returned function is called, and for at least `minMs`. */
  start(minMs?: number): Promise<() => Promise<Recording>>
  record(ms: number): Promise<Recording>
  stop(): Promise<void>
}

export interface Recording {
  /** A listener's sound. */
  samples(listener: number): Float32Array
  /** Root mean square of a listener's sound from some ms on: 0 is silence. */
  loudness(listener: number, fromMs?: number): number
  /** How much later `b` sounds than `a`, up to 0.55 s: medians over short windows. */
  skew(a: number, b: number): Skew
  /** The longest silence in a listener's sound, ms. */
  longestGapMs(listener: number): number
  /** What sounded in each 40 ms, and how far apart. Takes about a second for ten. */
  windows(): SessionWindow[]
}

/**
 * Longer silences are gaps: a busy machine may stutter. A player that waits for the server is silent for longer, because
 * a page retries after 1 s.
 */
export const maxStutterMs = 1_000

export async function startRecorder(listeners: number): Promise<Recorder> {
  const server = await startSoundServer(listeners)
  const start = async (minMs = 0) => {
    const stop = await server.record()
    const isLongEnough = delay(minMs)
    return async () => {
      await isLongEnough
      return toRecording(await stop(), listeners)
    }
  }
  return {
    environment: (listener) => server.environment(listener),
    start,
    record: async (ms) => {
      const stop = await start(ms)
      return stop()
    },
    stop: () => server.stop(),
  }
}

function toRecording(samples: Buffer, listeners: number): Recording {
  const sounds = Array.from({ length: listeners }, (_, listener) =>
    takeListener(samples, listener, listeners),
  )
  const of = (listener: number) => sounds[listener] ?? new Float32Array()
  return {
    samples: of,
    loudness: (listener, fromMs = 0) => loudness(cut(of(listener), fromMs, Infinity)),
    skew: (a, b) => medianSkew(toSounds([of(a), of(b)])),
    longestGapMs: (listener) => longestGapMs(of(listener)),
    windows: () => [...judgeSession(toSounds(sounds))],
  }
}

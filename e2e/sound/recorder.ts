import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { startSoundServer, type SoundServer } from './sound-server.ts'
import { cut, longestGapMs, loudness, recordedRate, takeListener } from './recording.ts'
import { measureSkew, type Skew } from './skew.ts'
import { makeNoiseWav } from './noise-tracks.ts'

/** What a listener test needs besides people: music made for measuring, and ears. */

/** A music folder of noise: each track sounds like no other, and can be told apart and aligned to the sample. */
export function makeNoiseFolder(tracks: { title: string; seconds: number }[]): {
  path: string
  remove(): void
} {
  const path = mkdtempSync(join(tmpdir(), 'earshot-noise-'))
  tracks.forEach((track, index) => {
    writeFileSync(join(path, `${track.title}.wav`), makeNoiseWav({ ...track, seed: index + 1 }))
  })
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** The sections of the room page, by the names that a screen reader says. */
export const region = (page: Page, name: string): Locator => page.getByRole('region', { name })
export const stage = (page: Page): Locator => region(page, 'Now Playing')
export const press = (page: Page, name: string): Promise<void> =>
  stage(page).getByRole('button', { name, exact: true }).click()

/** Ears on all listeners at once. */
export interface Ears {
  environment(listener: number): Record<string, string>
  /** Records for a while. */
  listen(ms: number): Promise<Heard>
  stop(): Promise<void>
}

export interface Heard {
  /** Root mean square of a listener's sound, from some ms on: 0 is silence. */
  loudness(listener: number, fromMs?: number): number
  /** How much later `b` sounds than `a`: medians over short stretches. */
  skew(a: number, b: number): Skew
  /** The longest silence within a listener's sound, in ms: a gap. */
  longestGapMs(listener: number): number
}

/**
 * A gap that is no pause: a busy machine may stutter. Who waits for the server is silent for longer, since a page
 * tries again after 1 s.
 */
export const maxStutterMs = 1_000

export async function openEars(listeners: number): Promise<Ears> {
  const server: SoundServer = await startSoundServer(listeners)
  return {
    environment: (listener) => server.environment(listener),
    stop: () => server.stop(),
    async listen(ms) {
      const stop = await server.record()
      await new Promise((resolve) => setTimeout(resolve, ms))
      const recording = await stop()
      const sound = Array.from({ length: listeners }, (_, listener) =>
        takeListener(recording, listener, listeners),
      )
      const of = (listener: number) => sound[listener] ?? new Float32Array()
      return {
        loudness: (listener, fromMs = 0) => loudness(cut(of(listener), fromMs, Infinity)),
        skew: (a, b) => medianSkew(of(a), of(b)),
        longestGapMs: (listener) => longestGapMs(of(listener)),
      }
    },
  }
}

/** Short enough that a listener who is being sped up or slowed down by 0.3 % still sounds like the others within it. */
const skewWindowMs = 250
const skewMaxLagMs = 120

/** A stretch below this was torn by a stutter of the machine, or is not the same sound. */
const minCorrelation = 0.3
const minStretches = 3

function medianSkew(a: Float32Array, b: Float32Array): Skew {
  const skews: Skew[] = []
  for (let fromMs = 0; ; fromMs += skewWindowMs) {
    const window = cut(a, fromMs, fromMs + skewWindowMs)
    if (window.length < (skewWindowMs / 1_000) * recordedRate) break
    skews.push(measureSkew(window, cut(b, fromMs, fromMs + skewWindowMs), skewMaxLagMs))
  }
  const whole = skews.filter((skew) => skew.correlation >= minCorrelation)
  const counted = whole.length >= minStretches ? whole : skews
  return {
    lagMs: median(counted.map((skew) => skew.lagMs)),
    correlation: median(counted.map((skew) => skew.correlation)),
  }
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

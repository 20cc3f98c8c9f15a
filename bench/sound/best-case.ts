import type { Page } from '@playwright/test'
import { setTimeout as delay } from 'node:timers/promises'
import { recordPairs, type PairSkew } from './recording.ts'
import { pause } from './command-cycles.ts'
import type { TestRoom } from './test-room.ts'
import { allPairs, addSkews, type SkewsByCondition } from './skew-figures.ts'
import type { Log } from '../measurement.ts'

/** How far ahead the start is set, and how long noise is played, ms. */
const aheadMs = 600
const soundsMs = 2_200

/**
 * Measures the best case of these browsers on this machine, several times: pages without the product that schedule the
 * same noise for the same instant of their shared clock. The owner must be playing; afterwards no browser is in the room.
 */
export async function measureBestCase(testRoom: TestRoom, times: number, log: Log): Promise<PairSkew[]> {
  await pause(testRoom)
  const pages = [testRoom.owner, ...testRoom.listeners].map(({ page }) => page)
  await Promise.all(pages.map(prepareBestCase))
  const skews: SkewsByCondition = new Map()
  for (let time = 0; time < times; time += 1) {
    addSkews(skews, 'without the product', await measureBestCaseOnce(testRoom, pages), log)
  }
  return allPairs(skews)
}

async function measureBestCaseOnce(testRoom: TestRoom, pages: Page[]): Promise<PairSkew[]> {
  const atMs = performance.timeOrigin + performance.now() + aheadMs
  await Promise.all(pages.map((page) => page.evaluate(startNoise, { atMs, soundsMs })))
  await delay(atMs - performance.timeOrigin - performance.now() + 300)
  const pairs = await recordPairs(testRoom, 1_500)
  await delay(soundsMs - 1_500)
  return pairs
}

/** Opens an audio context on an empty page and lets it run, so that its output is steady when it is needed. */
async function prepareBestCase(page: Page): Promise<void> {
  await page.goto('about:blank')
  await page.evaluate(async () => {
    const context = new AudioContext({ latencyHint: 'balanced' })
    Object.assign(globalThis, { bestCaseContext: context })
    await context.resume()
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  })
}

/** Runs in the page: schedules noise for an instant of the wall clock, through the output's own timestamps. */
function startNoise({ atMs, soundsMs: lengthMs }: { atMs: number; soundsMs: number }): void {
  const { bestCaseContext: context } = globalThis as unknown as { bestCaseContext: AudioContext }
  const buffer = context.createBuffer(1, (context.sampleRate * lengthMs) / 1_000, context.sampleRate)
  const samples = buffer.getChannelData(0)
  let state = 7
  for (let frame = 0; frame < samples.length; frame += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    samples[frame] = 0.3 * (state / 2 ** 31 - 1)
  }
  const source = new AudioBufferSourceNode(context, { buffer })
  source.connect(context.destination)
  const { contextTime = 0, performanceTime = 0 } = context.getOutputTimestamp()
  source.start(contextTime + (atMs - performance.timeOrigin - performanceTime) / 1_000)
}

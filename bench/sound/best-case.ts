import type { Page } from '@playwright/test'
import { setTimeout as delay } from 'node:timers/promises'
import { withDefer, type Defer } from '../defer.ts'
import { recordSession, type Session } from './session.ts'
import type { TestRoom } from './test-room.ts'

/** How far ahead a start is set, how long noise is played, and how often. */
const aheadMs = 600
const soundsMs = 4_000
const times = 4

/**
 * Records the best case of these browsers on this machine: pages without the product that schedule the same noise for the
 * same instant of their shared clock, several times.
 */
export function recordBestCase(open: (defer: Defer) => Promise<TestRoom>): Promise<Session> {
  return withDefer(async (defer) => {
    const testRoom = await open(defer)
    const pages = [testRoom.owner, ...testRoom.listeners].map(({ page }) => page)
    await Promise.all(pages.map(openContext))
    return recordSession(testRoom, async () => {
      for (let time = 0; time < times; time += 1) {
        const atMs = performance.timeOrigin + performance.now() + aheadMs
        await Promise.all(pages.map((page) => page.evaluate(startNoise, { atMs, soundsMs })))
        await delay(aheadMs + soundsMs + 400)
      }
    })
  })
}

/** Opens an audio context on an empty page and lets it run, so that its output is steady when it is needed. */
async function openContext(page: Page): Promise<void> {
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

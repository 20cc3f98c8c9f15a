import { expect, type Page } from '@playwright/test'

/** Notes when the first sound of a page is due at its output, in ms from the page's navigation. */
export const noteFirstSound = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    type Start = (this: AudioBufferSourceNode, when?: number, ...rest: number[]) => void
    const start = Reflect.get(AudioBufferSourceNode.prototype, 'start') as Start
    AudioBufferSourceNode.prototype.start = function (when = 0, ...rest: number[]) {
      const waitMs = Math.max(0, when - this.context.currentTime) * 1_000
      if (this.context.state === 'running') {
        document.documentElement.dataset.firstSoundMs ??= String(performance.now() + waitMs)
      }
      start.call(this, when, ...rest)
    }
  })

/** Resolves to when the page first sounded, in ms from its navigation. */
export async function waitForSound(page: Page): Promise<number> {
  const read = () => page.evaluate(() => Number(document.documentElement.dataset.firstSoundMs ?? 0))
  await expect.poll(read, { intervals: [50] }).toBeGreaterThan(0)
  return read()
}

import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import type { AxeResults, RunOptions } from 'axe-core'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Less than half of what `axe.source` has for the page to compile. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Waits for animations to end: half-way through a fade, colours have no contrast to check. */
async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor()
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
        .map((animation) => animation.finished.catch(() => null)),
    ),
  )
}

/**
 * Lists the accessibility violations of a page, or of what matches `part`: of all rules in dark mode, in which the page
 * starts, and of the contrast in light mode too.
 */
export async function findProblems(page: Page, part = 'html'): Promise<string[]> {
  await settle(page)
  const dark = await runAxe(page, part, {})
  await showMode(page, 'light')
  await settle(page)
  const light = await runAxe(page, part, { runOnly: ['color-contrast'] })
  await showMode(page, 'dark')
  return [...dark, ...light]
}

/** Runs axe in the page's main document; its frames hold the players of providers, which are not ours. */
async function runAxe(page: Page, part: string, options: RunOptions): Promise<string[]> {
  const isLoaded = await page.evaluate(() => 'axe' in globalThis)
  if (!isLoaded) await page.evaluate(source)
  const violations = await page.evaluate(
    async ([selector, given]) => {
      const { axe: loaded } = globalThis as unknown as { axe: typeof axe }
      const results: AxeResults = await loaded.run({ include: [[selector]] }, given)
      return results.violations
    },
    [part, { ...options, resultTypes: ['violations'], iframes: false }] as [string, RunOptions],
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary ?? ''}`),
  )
}

/** Shows a mode as another tab of the page does that changes it. */
async function showMode(page: Page, mode: 'dark' | 'light'): Promise<void> {
  await page.evaluate((newValue) => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'colourMode:v1', newValue }))
  }, mode)
}

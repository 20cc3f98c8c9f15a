import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

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
  const axe = () => new AxeBuilder({ page }).include(part)
  await settle(page)
  const { violations } = await axe().analyze()
  await showMode(page, 'light')
  await settle(page)
  const light = await axe().withRules(['color-contrast']).analyze()
  await showMode(page, 'dark')
  return [...violations, ...light.violations].flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  )
}

/** Shows a mode as another tab of the page does that changes it. */
async function showMode(page: Page, mode: 'dark' | 'light'): Promise<void> {
  await page.evaluate((newValue) => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'colour-mode', newValue }))
  }, mode)
}

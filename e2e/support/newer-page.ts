import type { Page } from '@playwright/test'

/** Every answer of the server states a newer page: one that does not would take the notice back. */
export async function serveNewerPage(page: Page): Promise<void> {
  await page.route('**/api/**', async (route) => {
    // A test may end while a call is on its way.
    const response = await route.fetch().catch(() => null)
    const headers = { ...response?.headers(), 'x-page-version': 'newer' }
    if (response) await route.fulfill({ response, headers }).catch(() => undefined)
  })
}

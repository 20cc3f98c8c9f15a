import type { Locator, Page } from '@playwright/test'
import { region } from './sound/recorder.ts'

/** The connection tester as somebody reads and uses it. */
export interface Tester {
  /** How the connection is. */
  card: Locator
  badge: Locator
  /** What the card says of the server, the latency and so on. */
  fact: (name: string) => Locator
  /** The tests, of which one tab shows. */
  tests: Locator
  openTab: (name: string) => Promise<void>
  start: (button: string) => Promise<void>
  /** What came of the test with this title. */
  result: (title: string) => Locator
  notice: (title: string) => Locator
}

export function readTester(page: Page): Tester {
  const card = region(page, 'Connection tester')
  const tests = page.getByRole('region', { name: 'Tests', exact: true })
  return {
    card,
    badge: card.getByRole('status').first(),
    fact: (name) => card.getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::dd'),
    tests,
    openTab: (name) => tests.getByRole('tab', { name }).click(),
    start: (button) => tests.getByRole('button', { name: button, exact: true }).click(),
    result: (title) => tests.getByRole('region', { name: title, exact: true }).getByRole('status'),
    notice: (title) => region(page, 'Notifications').getByText(title, { exact: true }).first(),
  }
}

import type { Locator, Page } from '@playwright/test'
import { region } from './room-page.ts'

/** The connection tester of the debug tools. */
export interface ConnectionTester {
  card: Locator
  /** The connection's state. */
  badge: Locator
  /** A value of the card by its label: server, latency and so on. */
  fact: (name: string) => Locator
  /** The tests, one tab of which is shown. */
  tests: Locator
  openTab: (name: string) => Promise<void>
  start: (button: string) => Promise<void>
  /** The result of the test with this title. */
  result: (title: string) => Locator
  notice: (title: string) => Locator
}

export function connectionTester(page: Page): ConnectionTester {
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

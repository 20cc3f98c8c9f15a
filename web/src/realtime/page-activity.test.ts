import { expect, it, onTestFinished } from 'vitest'
import { type PageEvent, watchPage } from './page-activity.ts'

it('17.331 a page that is left and comes back out of the history of the browser is visible again', () => {
  const seen: PageEvent[] = []
  onTestFinished(watchPage((event) => seen.push(event)))
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }))
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
  document.dispatchEvent(new Event('visibilitychange'))
  expect(seen).toEqual([])
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  expect(seen).toEqual(['visible'])
  document.dispatchEvent(new Event('visibilitychange'))
  expect(seen).toEqual(['visible', 'visible'])
})

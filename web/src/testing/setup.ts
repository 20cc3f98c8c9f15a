import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'
import { leaveRoom } from '../engine/current-visit.ts'
import { announce } from '../ui/notices/announce.ts'
import { loadPartsAhead } from '../ui/loading/part-on-demand.tsx'
import '../ui/popups/dialog.tsx'
import '../ui/popups/menu.tsx'
import { deliverNotices } from '../ui/notices/notify.ts'
import '../ui/popups/popover.tsx'
import '../ui/popups/tooltip.tsx'
import './animation-frames.ts'
import { fetchFromContract, forgetAnswers } from './contract-network.ts'
import { takeTextFlaws, watchTexts } from './watch-texts.ts'

globalThis.fetch = fetchFromContract
// jsdom has no layout and cannot scroll.
window.scrollTo = () => undefined
Element.prototype.scrollIntoView = () => undefined
window.matchMedia = (media) => Object.assign(new EventTarget(), { media, matches: false }) as MediaQueryList
globalThis.IntersectionObserver = class {
  observe = () => undefined
  disconnect = () => undefined
} as unknown as typeof IntersectionObserver
globalThis.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
// An upper bound for busy machines; assertions resolve as soon as they hold.
configure({ asyncUtilTimeout: 60_000 })

// Parts that a click opens are loaded at once.
await loadPartsAhead()

watchTexts()

beforeEach(() => forgetAnswers())
afterEach(() => {
  const flaws = takeTextFlaws()
  cleanup()
  takeTextFlaws()
  leaveRoom()
  // Those that nothing showed.
  deliverNotices({ show: () => undefined, close: () => undefined })()
  // Announcements stand outside of the rendered page.
  announce()
  if (flaws.length > 0) throw new Error(`17.330 A translated page would break:\n${flaws.join('\n')}`)
})

// A part that still loads when the file is over would fail the next file that imports it.
afterAll(() => vi.dynamicImportSettled())

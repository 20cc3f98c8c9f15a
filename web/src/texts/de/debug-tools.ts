import type * as english from '../debug-tools.ts'
import type { Translated } from '../translated.ts'

export const debugTools = {
  show: 'Debug-Werkzeuge anzeigen',
  hide: 'Debug-Werkzeuge ausblenden',
  region: 'Debug-Werkzeuge',
} satisfies Translated<typeof english.debugTools>

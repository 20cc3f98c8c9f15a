import type * as english from '../debug-tools.ts'
import type { Translated } from '../translated.ts'

export const debugTools = {
  show: 'Debug-Werkzeuge anzeigen',
  hide: 'Debug-Werkzeuge ausblenden',
  region: 'Debug-Werkzeuge',
  loadFailed: 'Die Debug-Werkzeuge konnten nicht geladen werden.',
  retry: 'Erneut versuchen',
} satisfies Translated<typeof english.debugTools>

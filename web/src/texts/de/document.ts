import type { Translated } from '../translated.ts'
import type * as english from '../document.ts'
import { splash } from './common.ts'

export const documentTexts = {
  splash: splash.text,
  description: 'Gemeinsam Musik hören: Alle im Raum hören dasselbe.',
  noScript: 'Earshot spielt Musik synchron und braucht dafür JavaScript. Bitte schalte es ein.',
  offlineTitle: 'Offline · Earshot',
  offlineHeading: 'Earshot ist nicht erreichbar',
  offlineText:
    'Es gibt keine Verbindung, oder der Server ist nicht da. Musik, die in einem anderen Tab läuft, spielt weiter.',
  tryAgain: 'Erneut versuchen',
} satisfies Translated<typeof english.documentTexts>

import type * as english from '../explore.ts'
import type { Translated } from '../translated.ts'

export const explore = {
  title: 'Räume entdecken',
  text: 'Öffentliche Räume. Zuerst die, in denen gerade Musik läuft.',
  filter: 'Musik aus',
  all: 'Alle Quellen',
  noneOf: (source) => `Kein öffentlicher Raum spielt gerade aus: ${source}`,
  noneText: 'Wähle eine andere Quelle oder erstelle einen Raum.',
} satisfies Translated<typeof english.explore>

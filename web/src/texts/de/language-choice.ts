import type * as english from '../language-choice.ts'
import type { Translated } from '../translated.ts'

export const languageChoice = {
  label: 'Sprache',
  hint: 'Die Seite lädt neu, wenn du sie änderst. Die Musik deines Raums geht danach weiter.',
} satisfies Translated<typeof english.languageChoice>

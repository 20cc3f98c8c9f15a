import type * as english from '../reactions.ts'
import type { Translated } from '../translated.ts'
import { plural } from './plural.ts'

export const reactions = {
  title: 'Reaktionen',
  names: {
    love: 'Liebe ich',
    fire: 'Feuer',
    party: 'Party',
    laugh: 'Haha',
    wow: 'Wow',
    thumbs_up: 'Daumen hoch',
  },
  summary: (count) => plural(count, { one: '# Reaktion', other: '# Reaktionen' }),
  failedTitle: 'Fehler',
  failedText: 'Deine Reaktion konnte nicht gesendet werden.',
} satisfies Translated<typeof english.reactions>

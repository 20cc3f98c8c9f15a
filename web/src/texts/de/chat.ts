import type * as english from '../chat.ts'
import type { Translated } from '../translated.ts'
import { plural } from './plural.ts'

export const chat = {
  title: 'Chat',
  messages: 'Nachrichten',
  placeholder: 'Schreib etwas...',
  inputLabel: 'Nachricht',
  send: 'Senden',
  empty: 'Noch keine Nachrichten',
  emptyText: 'Sag Hallo zu allen im Raum.',
  loadingOlder: 'Ältere Nachrichten werden geladen...',
  newMessages: (count) =>
    count > 99
      ? '99+ neue Nachrichten'
      : plural(count, { one: '# neue Nachricht', other: '# neue Nachrichten' }),
  latestMessages: 'Neueste Nachrichten',
  olderFailedText: 'Ältere Nachrichten konnten nicht geladen werden.',
  sending: 'Wird gesendet',
  waitsForConnection: 'Wird gesendet, sobald du wieder verbunden bist.',
  notSent: 'Nicht gesendet.',
  retry: 'Erneut senden',
  discard: 'Verwerfen',
  showAll: 'Alles anzeigen',
  tooFast: (seconds) => `Du schreibst sehr schnell. Nächste Nachricht in ${seconds} s`,
  tooLong: (count) => plural(count, { one: '# Zeichen zu viel', other: '# Zeichen zu viel' }),
  charactersLeft: (count) => plural(count, { one: 'Noch # Zeichen', other: 'Noch # Zeichen' }),
  outboxFull: 'Frühere Nachrichten warten noch darauf, gesendet zu werden.',
} satisfies Translated<typeof english.chat>

import type * as english from '../moderation.ts'
import type { Translated } from '../translated.ts'
import { named } from '../grammar/named.ts'

export const removal = {
  kick: 'Aus dem Raum entfernen',
  ban: 'Für den Raum sperren',
  kicked: (name) => named`${name} wurde entfernt`,
  banned: (name) => named`${name} ist gesperrt`,
  banTitle: (name) => named`${name} sperren?`,
  banText:
    'Die Person verlässt den Raum sofort und kann nicht wieder beitreten, auch nicht mit einem Einladungslink, bis du die Sperre aufhebst.',
  banGuestText:
    'Die Person verlässt den Raum sofort und kann nicht wieder beitreten. Einen Tag lang können auch andere Gäste aus ihrem Netzwerk nicht beitreten.',
  removeContent: 'Auch ihre Titel aus der Warteschlange und ihre Nachrichten entfernen',
  confirmBan: 'Sperren',
  cancel: 'Abbrechen',
  failedTitle: 'Fehler',
  bans: (count) => `Gesperrte Personen (${count})`,
  bansFailed: 'Die Sperren konnten nicht geladen werden',
  lift: 'Sperre aufheben',
  liftFor: (name) => named`Sperre von ${name} aufheben`,
  deleteMessage: 'Nachricht löschen',
  deleteTitle: 'Diese Nachricht löschen?',
  deleteText: 'Sie verschwindet für alle im Raum.',
  confirmDelete: 'Löschen',
} satisfies Translated<typeof english.removal>

import type * as english from '../playlist-import.ts'
import type { Translated } from '../translated.ts'
import { plural } from './plural.ts'

export const playlistImport = {
  chooseTracks: 'Titel auswählen',
  tracks: (count) => plural(count, { one: '# Titel', other: '# Titel' }),
  by: (owner) => `von ${owner}`,
  list: 'Titel der Playlist',
  failed: 'Die Playlist konnte nicht geladen werden',
  empty: 'Diese Playlist hat keine Titel, die hinzugefügt werden können',
  loadingRest: (loaded, total) =>
    total === null
      ? `Wird geladen: bisher ${loaded} Titel...`
      : `Wird geladen: ${loaded} von ${total} Titeln...`,
  restFailed: 'Einige Titel konnten nicht geladen werden.',
  loadRest: 'Den Rest laden',
  cutOff: (count) =>
    `Nur die ersten ${count} Titel werden angezeigt: Mehr passen nicht in eine Warteschlange.`,
  skipped: (count) =>
    plural(count, {
      one: '# Eintrag kann nicht hinzugefügt werden',
      other: '# Einträge können nicht hinzugefügt werden',
    }),
  selectAll: 'Alle auswählen',
  selectNone: 'Keine auswählen',
  selected: (count) => `${count} ausgewählt`,
  showMore: (count) => plural(count, { one: 'Noch # Titel anzeigen', other: 'Noch # Titel anzeigen' }),
  add: (count) => plural(count, { one: '# Titel hinzufügen', other: '# Titel hinzufügen' }),
  adding: (done, total) => `${done} von ${total} werden hinzugefügt...`,
  progress: 'Hinzugefügte Titel',
  cancel: 'Abbrechen',
  cancelling: 'Wird angehalten...',
  done: (count) =>
    plural(count, { one: '# Titel ist in der Warteschlange', other: '# Titel sind in der Warteschlange' }),
  stopped: (waiting) =>
    plural(waiting, {
      one: '# Titel wurde noch nicht hinzugefügt',
      other: '# Titel wurden noch nicht hinzugefügt',
    }),
  refused: (count) =>
    plural(count, {
      one: '# Titel konnte nicht hinzugefügt werden',
      other: '# Titel konnten nicht hinzugefügt werden',
    }),
  retry: (count) => plural(count, { one: '# Titel erneut versuchen', other: '# Titel erneut versuchen' }),
  resume: (count) =>
    plural(count, { one: 'Den letzten Titel hinzufügen', other: 'Die anderen # hinzufügen' }),
  outcomes: {
    added: 'Hinzugefügt',
    already_added: 'Schon in der Warteschlange',
    not_found: 'Nicht gefunden',
    not_playable: 'In Räumen nicht spielbar',
    queue_full: 'Die Warteschlange ist voll',
    too_many_waiting: 'Zu viele wartende Titel von dir',
  },
  waiting: 'Wartet',
  otherOutcome: 'Nicht hinzugefügt',
} satisfies Translated<typeof english.playlistImport>

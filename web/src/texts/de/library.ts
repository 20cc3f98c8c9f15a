import type * as english from '../library.ts'
import type { Translated } from '../translated.ts'
import { plural } from './plural.ts'

export const library = {
  title: 'Bibliothek',
  recent: 'Neu hinzugefügt',
  albums: 'Alben',
  artists: 'Interpreten',
  back: 'Zurück',
  jump: 'Ab',
  fromStart: 'Anfang',
  unknownArtist: 'Unbekannter Interpret',
  openArtist: (name) => `${name} öffnen`,
  addAlbum: 'Album hinzufügen',
  addRest: (count) =>
    plural(count, { one: 'Den anderen Titel hinzufügen', other: 'Die anderen # Titel hinzufügen' }),
  tracksOf: (title) => `Titel von ${title}`,
  trackCount: (count) => plural(count, { one: '# Titel', other: '# Titel' }),
  disc: (number) => `CD ${number}`,
  albumsOf: (name) => `Alben von ${name}`,
  otherTracks: 'Weitere Titel',
  showMore: (count) => `${count} weitere anzeigen`,
  loading: 'Wird geladen...',
  failed: 'Die Bibliothek konnte nicht geladen werden',
  failedText: 'Prüfe deine Verbindung und versuche es dann noch einmal.',
  restFailed: 'Der Rest konnte nicht geladen werden.',
  recentFailed: 'Neue Alben konnten nicht geladen werden.',
  notFound: 'Das ist nicht mehr in der Bibliothek',
  retry: 'Noch einmal versuchen',
  empty: 'Die Bibliothek hat noch keine Alben',
  emptyText: 'Alben erscheinen hier, wenn die Dateien im Musikordner sie nennen.',
  nothingFrom: (letter) => `Nichts ab ${letter}`,
  queueFull: (max) => `Die Warteschlange ist voll: Sie fasst ${max} Titel.`,
} satisfies Translated<typeof english.library>

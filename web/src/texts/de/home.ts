import type * as english from '../home.ts'
import type { Translated } from '../translated.ts'
import { plural } from './plural.ts'
import { named } from '../grammar/named.ts'

export const home = {
  title: 'Verfügbare Räume',
  onlyOwn: 'Gerade ist kein Raum von anderen offen.',
  ownRooms: 'Deine Räume',
  heroTitle: ['Ein Raum.', 'Ein Song.', 'Dieselbe Sekunde.'],
  heroText: 'Öffne einen Raum, teile den Link, drücke auf Play. Alle hören dieselbe Musik im selben Moment.',
  createRoom: 'Raum erstellen',
  myProfile: 'Mein Profil',
  searchRooms: 'Räume suchen...',
  searchLabel: 'Räume suchen',
  clearSearch: 'Suche leeren',
  publicRoom: 'Öffentlicher Raum',
  privateRoom: 'Privater Raum',
  listeners: (count) => plural(count, { one: '# Zuhörer', other: '# Zuhörer' }),
  showMore: 'Mehr Räume anzeigen',
  joinRoom: 'Beitreten',
  joinRoomNamed: (name) => named`Raum beitreten: ${name}`,
  nothingPlaying: 'Gerade läuft nichts',
  hiddenTrack: 'Hört privat',
  paused: 'Pausiert',
  playing: 'Läuft gerade',
  empty: 'Keine Räume verfügbar',
  emptyText: 'Erstelle einen neuen Raum, um loszulegen',
  noMatch: (query) => named`Keine Räume passen zu „${query}“`,
  errorTitle: 'Fehler beim Laden der Räume',
  errorToast: 'Die verfügbaren Räume konnten nicht geladen werden. Bitte versuche es noch einmal.',
  errorText: 'Die Räume konnten nicht geladen werden. Bitte versuche es später noch einmal.',
  refresh: 'Aktualisieren',
} satisfies Translated<typeof english.home>

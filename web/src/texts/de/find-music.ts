import { limits } from '@earshot/core/limits'
import type { Source } from '@earshot/core/protocol/entities'
import type * as english from '../find-music.ts'
import type { Translated } from '../translated.ts'
import { sourceNames } from './common.ts'
import { plural } from './plural.ts'

export const findMusic = {
  title: 'Musik finden',
  source: 'Quelle',
  placeholder: 'Musik suchen...',
  searchLabel: 'Musik suchen',
  search: 'Suchen',
  hint: (source) => `Quelle: ${source} – Suche mit Enter starten`,
  results: 'Ergebnisse – mit + zur Warteschlange hinzufügen',
  browse: 'Aus der Bibliothek – mit + zur Warteschlange hinzufügen',
  noResults: 'Keine Ergebnisse gefunden',
  noResultsText: 'Prüfe die Schreibweise oder suche nach dem Interpreten statt nach dem Titel.',
  emptyLibrary: 'Die Bibliothek enthält noch keine Musik',
  emptyLibraryText: 'Musik, die in den Musikordner dieses Servers gelegt wird, erscheint hier.',
  add: (title) => `${title} zur Warteschlange hinzufügen`,
  more: 'Mehr anzeigen',
  failedTitle: 'Suche fehlgeschlagen',
  failedText: 'Die Suche hat nicht geklappt. Bitte versuche es noch einmal.',
  failedInList: 'Die Suche ist fehlgeschlagen',
  retry: 'Erneut versuchen',
  searchFirst: (source) => `Suche in ${source} nach einem Titel oder Interpreten, oder füge einen Link ein.`,
  linksOnlyPlaceholder: (source) => `${source}-Link einfügen`,
  linksOnly: (source) => `Füge einen ${source}-Link ein`,
  linksOnlyText: (source) =>
    `Dieser Server kann ${source} nicht durchsuchen, aber Links zu Videos und Playlists funktionieren.`,
  searchNeedsAccount: (source) => `Melde dich an, um ${source} zu durchsuchen`,
  linksWorkForGuests: 'Links zu Videos und Playlists funktionieren auch ohne Konto.',
  notConnected: (source) => `Verbinde ${source} in deinem Profil, um dort zu suchen`,
  mustReconnect: (source) => `Deine Verbindung zu ${source} ist beendet`,
  mustReconnectText: (source) => `Verbinde ${source} in deinem Profil erneut, um dort zu suchen.`,
  paused: (source) => `Vorerst keine Suche mehr in ${source}`,
  pausedUntil: (time) =>
    `Das Limit ist erreicht. Die Suche geht wieder ab ${time}; Links funktionieren weiterhin.`,
  pausedText: 'Das Limit ist erreicht. Versuche es später noch einmal; Links funktionieren weiterhin.',
  searchesLeft: (left, limit) => `Heute noch ${left} von ${limit} Suchen`,
  linkResult: 'Aus deinem Link – mit + zur Warteschlange hinzufügen',
  linkFailed: 'Dieser Link konnte nicht geöffnet werden',
  linksOmitted: (shown, count) => `Die ersten ${shown} von ${count} Links. Füge die anderen später ein.`,
  tooLong: 'Das ist zu lang für eine Suche',
  tooLongText: `Suche nach einem Titel oder Interpreten, mit höchstens ${limits.searchQueryMaxLength} Zeichen.`,
  restricted: {
    not_embeddable: 'Hier nicht spielbar: Der Inhaber erlaubt es auf anderen Seiten nicht',
    age_restricted: 'Hier nicht spielbar: Altersbeschränkung',
    live: 'Hier nicht spielbar: ein Livestream',
    removed: 'Hier nicht spielbar: nicht mehr verfügbar',
  },
  restrictedOther: 'Hier nicht spielbar',
  playlists: 'Deine Spotify-Playlists',
  noPlaylists: 'Du hast keine Playlists bei Spotify',
  noPlaylistsText: 'Suche bei Spotify nach einem Titel oder Interpreten, oder füge einen Link ein.',
  playlistsFailed: 'Deine Playlists konnten nicht geladen werden',
  preview: (name) => `Titel aus ${name} auswählen`,
} satisfies Translated<typeof english.findMusic>

const fromSource = (source: Source): string =>
  source === 'library' ? 'aus der Bibliothek' : `von ${sourceNames[source]}`

export const playability = {
  count: (count) =>
    plural(count, { one: '# Person kann das nicht hören', other: '# Personen können das nicht hören' }),
  toProfile: 'Zu meinem Profil',
  premium: 'Über Premium',
  tryAgain: 'Erneut versuchen',
  watch: 'Auf YouTube ansehen',
  reasons: {
    not_connected: {
      badge: 'Spotify nicht verbunden',
      short: 'Nicht spielbar: Spotify ist nicht verbunden',
      title: 'Verbinde Spotify, um diesen Titel zu hören',
      text: 'Er wird über dein eigenes Spotify-Premium-Konto gespielt, das du in deinem Profil verbindest.',
    },
    no_premium: {
      badge: 'Spotify Premium nötig',
      short: 'Nicht spielbar: Spotify Premium ist nötig',
      title: 'Für diesen Titel ist Spotify Premium nötig',
      text: 'Spotify spielt in anderen Apps nur für Premium-Mitglieder.',
    },
    no_drm: {
      badge: 'Kein Spotify in diesem Browser',
      short: 'In diesem Browser nicht spielbar',
      title: 'Dieser Browser kann Spotify nicht abspielen',
      text: 'Er unterstützt keine geschützten Audiodaten. Versuche es mit einem aktuellen Chrome, Edge, Firefox oder Safari.',
    },
    app_paused: {
      badge: 'Spotify ist angehalten',
      short: 'Nicht spielbar: Spotify ist für diesen Server angehalten',
      title: 'Spotify ist für diesen Server angehalten',
      text: 'Der Besitzer seiner Spotify-App braucht ein aktives Premium-Abo.',
    },
    format: {
      badge: 'Format nicht spielbar',
      short: 'In diesem Browser nicht spielbar',
      title: 'Dieser Browser kann dieses Format nicht abspielen',
      text: 'Die anderen im Raum hören es vielleicht trotzdem.',
    },
    not_embeddable: {
      badge: 'Nur auf YouTube',
      short: 'Hier nicht spielbar, nur auf YouTube',
      title: 'Dieses Video läuft nur auf YouTube',
      text: 'Der Inhaber erlaubt es auf anderen Seiten oder in deinem Land nicht.',
    },
    blocked: {
      badge: 'Für dich gesperrt',
      short: 'Nicht spielbar: für dich gesperrt',
      title: 'Dieser Titel ist für dich gesperrt',
      text: 'Er ist nach Region oder Alter beschränkt. Die anderen im Raum hören ihn vielleicht trotzdem.',
    },
    live: {
      badge: 'Livestream',
      short: 'Hier nicht spielbar: ein Livestream',
      title: 'Das ist ein Livestream',
      text: 'Ein Raum kann Livestreams nicht gemeinsam abspielen. Du kannst ihn auf YouTube ansehen.',
    },
    removed: {
      badge: 'Nicht mehr verfügbar',
      short: 'Dieser Titel ist nicht mehr verfügbar',
      title: 'Dieser Titel ist nicht mehr verfügbar',
      text: 'Der Anbieter hat ihn entfernt.',
    },
  },
  otherReason: {
    badge: 'Titel nicht spielbar',
    short: 'Nicht spielbar',
    title: 'Dieser Titel kann hier nicht gespielt werden',
    text: 'Die anderen im Raum hören ihn vielleicht trotzdem.',
  },
  playInstead: (source, percent) => `Stattdessen ${fromSource(source)} spielen (zu ${percent} % sicher)`,
  hearing: (source) => `Du hörst das ${fromSource(source)}`,
  hearingText: (title, artist) => `${title}${artist && ` von ${artist}`}. Nur du hörst es von dort.`,
  stopInstead: 'Zurück zum Original',
} satisfies Translated<typeof english.playability>

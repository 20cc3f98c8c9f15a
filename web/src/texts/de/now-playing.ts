import type * as english from '../now-playing.ts'
import type { Translated } from '../translated.ts'
import { locale } from './language.ts'

const skipReasons: Readonly<Record<string, string>> = {
  not_embeddable: 'läuft nur auf YouTube und wurde übersprungen',
  blocked: 'ist für alle hier gesperrt und wurde übersprungen',
  age_restricted: 'hat eine Altersbeschränkung und wurde übersprungen',
  live: 'ist ein Livestream und wurde übersprungen',
}

const oneDigit = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

export const nowPlaying = {
  title: 'Läuft gerade',
  controls: 'Player',
  emptyTitle: 'Kein Titel läuft',
  emptyText: 'Füge der Warteschlange Titel hinzu, um Musik zu hören',
  findMusic: 'Musik finden',
  art: (title) => `Cover von ${title}`,
  unknownTime: '--:--',
  position: 'Position',
  positionText: (elapsed, duration) => `${elapsed} von ${duration}`,
  play: 'Abspielen',
  pause: 'Pause',
  next: 'Nächster Titel',
  voteToSkip: 'Fürs Überspringen stimmen',
  skipVotes: (votes, needed) => `${votes} von ${needed} Stimmen fürs Überspringen`,
  previous: 'Zurück',
  previousHint: (seconds) => `An den Anfang; in den ersten ${seconds} Sekunden zum Titel davor`,
  mute: 'Ton aus',
  unmute: 'Ton an',
  volume: 'Lautstärke',
  volumeText: (percent) => `${percent} Prozent`,
  sync: 'Sync',
  syncHint: 'Wiedergabe synchronisieren (Taste s)',
  syncing: 'Wird synchronisiert',
  syncingText: 'Dein Ton wird an den Raum angeglichen',
  leave: 'Verlassen',
  leaveHint: 'Raum verlassen',
  cueing: 'Alle machen sich bereit...',
  tapToListen: 'Zum Hören tippen',
  tapToListenText: 'Dein Browser spielt Ton erst ab, nachdem du getippt hast.',
  open: 'Öffnen',
  skip: 'Überspringen',
  pauseHere: 'Hier pausieren',
  playHere: 'Hier abspielen',
  silentHere: {
    paused: 'Auf diesem Gerät pausiert',
    in_other_tab: 'Läuft in einem anderen Tab',
    on_other_device: 'Spotify läuft auf einem anderen Gerät',
  },
  silentHereText: 'Der Raum spielt weiter. Du kannst jederzeit wieder einsteigen.',
  soundFailed: 'Der Ton konnte nicht geladen werden',
  soundFailedText: {
    library: 'Dein Gerät fragt den Server alle paar Sekunden wieder.',
    spotify:
      'Der Player von Spotify antwortet nicht. Prüfe deine Verbindung und ob eine Erweiterung Spotify blockiert. Earshot versucht es alle paar Sekunden wieder.',
  },
  slowSound: 'Der Ton lädt langsam',
  slowSoundText:
    'Deine Verbindung ist langsam, oder der Server kann die Datei gerade nicht lesen. Er spielt, sobald genug davon da ist.',
  soundRefusedText: (time) => `Spotify bittet, bis ${time} Uhr zu warten. Dann versucht Earshot es wieder.`,
  unavailable: ({ title, count, reason = 'removed' }) => {
    const fact = skipReasons[reason]
    if (count === 1) return `„${title}“ ${fact ?? 'ist nicht mehr verfügbar'}`
    const others = `„${title}“ und ${count - 1} ${count === 2 ? 'weiterer' : 'weitere'} Titel`
    return fact ? `${others} können hier nicht gespielt werden` : `${others} sind nicht mehr verfügbar`
  },
  announce: (title, artist) => `Jetzt läuft: ${title}${artist && ` von ${artist}`}`,
  announceNothing: 'Es läuft nichts',
  listen: 'Hörmodus',
  listenHint: 'Hörmodus (Taste f)',
  upNext: (title, artist) => `Als Nächstes: ${title}${artist && ` · ${artist}`}`,
  miniPlayer: 'Mini-Player',
} satisfies Translated<typeof english.nowPlaying>

export const trackSource = {
  at: (title, source) => `${title} bei ${source}`,
} satisfies Translated<typeof english.trackSource>

export const videoPlayer = {
  region: 'Video',
  loading: 'YouTube-Player wird geladen...',
  errorTitle: 'Fehler des YouTube-Players',
  errorText: (code) => `Fehlercode ${code}. Versuche, die Seite neu zu laden.`,
  playFailed: (code) => `Fehler beim Abspielen des Videos (Code: ${code})`,
  gaveUp: 'Das Video konnte nach mehreren Versuchen nicht geladen werden',
  loadFailed: (reason) => `Das Video konnte nicht geladen werden: ${reason}`,
  missingReferrer:
    'YouTube hat die Adresse dieser Seite nicht erhalten. Eine Browsererweiterung oder ein Proxy vor diesem Server entfernt den Referer-Header.',
} satisfies Translated<typeof english.videoPlayer>

export const syncTexts = {
  in_sync: 'Synchron',
  correcting: 'Wird angeglichen',
  buffering: 'Puffert',
  ad: 'Wartet auf Werbung',
  hidden: 'Im Hintergrund',
  blocked: 'Ton ist blockiert',
  unplayable: 'Titel nicht spielbar',
  no_clock: 'Uhr wird gemessen',
  paused: 'Pausiert',
} satisfies Translated<typeof english.syncTexts>

export const syncBadge = {
  within: (text, ms) => `${text} · auf ${ms} ms`,
  label: 'Deine Synchronität',
  disconnected: 'Verbindung verloren',
  alone: 'Bisher nur du',
  aloneText: 'Lade jemanden ein, im selben Moment dieselbe Musik zu hören.',
} satisfies Translated<typeof english.syncBadge>

export const syncPanel = {
  title: 'Sync',
  own: 'Du',
  half: 'Die Hälfte des Raums',
  nearlyAll: '95 % des Raums',
  within: (ms) => `auf ${ms < 10 ? oneDigit.format(Math.ceil(ms * 10) / 10) : Math.ceil(ms)} ms genau`,
  unknown: 'noch unbekannt',
  unmeasurable: (ms) =>
    `Bis zu ${Math.ceil(ms)} ms davon lassen sich nicht messen: der halbe Unterschied zwischen den beiden Richtungen deiner Verbindung. Hörst du ein Echo, nutze den Feinabgleich.`,
  latencyUnknown:
    'Dieser Browser sagt nicht, wie spät dein Ton aus dem Gerät kommt. Das ist in diesen Zahlen nicht enthalten. Hörst du ein Echo, nutze den Feinabgleich.',
  roomWithin: (ms) => `synchron auf ${Math.max(1, Math.ceil(ms))} ms`,
} satisfies Translated<typeof english.syncPanel>

export const nudge = {
  label: 'Feinabgleich',
  hint: 'Hörst du ein Echo der anderen? Verschiebe deinen Ton nach hinten oder vorn, bis es weg ist. Dieses Gerät merkt sich die Einstellung.',
  earlier: (stepMs) => `${stepMs} ms früher`,
  later: (stepMs) => `${stepMs} ms später`,
  none: '0 ms',
  value: (ms) => `${Math.abs(ms)} ms ${ms > 0 ? 'später' : 'früher'}`,
  reset: 'Zurücksetzen',
} satisfies Translated<typeof english.nudge>

const signed = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' })

export const loudness = {
  label: 'Lautstärke angleichen',
  hint: 'Leise und laute Titel der Bibliothek klingen etwa gleich laut, wenn ihre Dateien angeben, wie laut sie sind. Dieses Gerät merkt sich die Einstellung.',
  gain: (db) => `Dieser Titel: ${signed.format(db)} dB`,
  unstated: 'Seine Datei gibt nicht an, wie laut er ist.',
} satisfies Translated<typeof english.loudness>

import { limits } from '@earshot/core/limits'
import type * as english from '../diagnosis.ts'
import type { Translated } from '../translated.ts'
import { productName } from './common.ts'
import { locale } from './language.ts'
import { plural } from './plural.ts'

const findingTexts = {
  offline: {
    title: 'Dieses Gerät ist offline',
    text: 'Prüfe dein WLAN oder Kabel. Die Musik läuft weiter, solange sie gepuffert ist.',
  },
  server_unreachable: {
    title: 'Der Server ist nicht erreichbar',
    text: 'Prüfe deine Internetverbindung. Funktionieren andere Seiten, ist vielleicht der Server ausgefallen: Versuche es in einer Minute noch einmal.',
  },
  server_unhealthy: {
    title: 'Der Server hat ein Problem',
    text: 'Er antwortet, meldet aber ein Problem. Wende dich an seine Administration.',
  },
  realtime_refused: {
    title: 'Die Verbindung zum Raum kommt nicht zustande',
    text: 'Der Server selbst antwortet. Drücke „Neu verbinden“. Hilft das nicht, sieh nach, ob eine Firewall, ein Proxy oder eine Browsererweiterung sie blockiert.',
  },
  http_unreachable: {
    title: 'Der Server antwortet nur im Raum',
    text: 'HTTP-Anfragen bleiben ohne Antwort, daher können Suche und Wiedergabe scheitern. Lade die Seite neu. Hilft das nicht, sieh nach, ob ein Proxy oder eine Browsererweiterung sie blockiert.',
  },
  long_polling: {
    title: 'Long Polling statt WebSocket',
    text: 'Die Verbindung steht, aber mit größerer Verzögerung. Vielleicht blockiert ein Proxy oder eine Firewall WebSockets: Erlaube sie, oder versuche ein anderes Netz.',
  },
  high_latency: {
    title: 'Die Verbindung ist langsam',
    text: `Der Server braucht über ${limits.poorLatencyMs} ms für eine Antwort. Geh näher an den Router, halte große Downloads an oder trenne das VPN.`,
  },
  cookies_off: {
    title: 'Cookies sind ausgeschaltet',
    text: 'Ohne Cookies kannst du nicht angemeldet bleiben. Erlaube sie für diese Seite in den Einstellungen des Browsers.',
  },
  session_missing: {
    title: 'Du bist nicht mehr angemeldet',
    text: 'Melde dich wieder an, um in den Raum zurückzukehren.',
  },
  page_outdated: {
    title: 'Diese Seite ist veraltet',
    text: 'Der Server hat eine neuere Version. Lade die Seite neu.',
  },
  clock_not_measured: {
    title: 'Die Uhr ist noch nicht abgeglichen',
    text: 'Bisher wurden zu wenige Messungen der Uhr beantwortet. Warte einige Sekunden und starte die Diagnose erneut.',
  },
  clock_uncertain: {
    title: 'Die Uhr ist nur grob abgeglichen',
    text: 'Dein Ton kann um einige Hundertstelsekunden daneben liegen. Nutze ein schnelleres Netz, oder gleiche mit dem Feinabgleich nach Gehör aus.',
  },
  probes_lost: {
    title: 'Einige Messungen der Uhr blieben ohne Antwort',
    text: 'Das Netz verliert Nachrichten. Geh näher an den Router, oder nutze ein Kabel.',
  },
  probes_jittery: {
    title: 'Die Verzögerung im Netz schwankt stark',
    text: 'Das erschwert den Abgleich der Uhr. Nutze ein Kabel, oder verringere den übrigen Datenverkehr.',
  },
  device_clock_off: {
    title: 'Die Uhr dieses Geräts geht falsch',
    text: 'Das macht nichts: Der Raum nutzt die Uhr des Servers.',
  },
  sound_blocked: {
    title: 'Der Browser blockiert den Ton',
    text: 'Drücke „Zum Hören tippen“. Dauerhaft erlaubst du Ton in den Website-Einstellungen des Browsers.',
  },
  muted: {
    title: 'Der Ton ist hier ausgeschaltet',
    text: 'Drücke m oder bewege den Lautstärkeregler, um den Raum zu hören.',
  },
  insecure_context: {
    title: 'Die Seite wird nicht sicher übertragen',
    text: 'Über einfaches HTTP bietet der Browser keinen Audio-Decoder an. Der Ton stimmt nach einigen Sekunden trotzdem auf wenige ms; besser wird es über HTTPS oder auf localhost.',
  },
  no_decoder: {
    title: 'Dieser Browser hat keinen Audio-Decoder für Seiten',
    text: 'Der Ersatz-Player stimmt nach einigen Sekunden auf wenige ms. Besser wird es mit einem aktuellen Browser.',
  },
  track_undecodable: {
    title: 'Dieser Browser kann den aktuellen Titel nicht abspielen',
    text: 'Versuche einen anderen Browser, oder überspringe den Titel.',
  },
  track_failed: {
    title: 'Der aktuelle Titel konnte nicht geladen werden',
    text: 'Alle paar Sekunden wird es erneut versucht. Bleibt es dabei, überspringe den Titel und wende dich an die Administration des Servers.',
  },
  track_by_element: {
    title: 'Der aktuelle Titel braucht den Ersatz-Player',
    text: 'Der Browser kann sein Format nicht direkt dekodieren. Der Ton stimmt nach einigen Sekunden auf wenige ms.',
  },
  output_latency_long: {
    title: 'Dein Tongerät ist langsam',
    text: 'Das ist bei kabellosen Kopfhörern und Lautsprechern normal und wird ausgeglichen. Hörst du trotzdem ein Echo, nutze den Feinabgleich.',
  },
  output_latency_ignored: {
    title: 'Dein Tongerät meldet eine unglaubwürdige Verzögerung',
    text: `Verzögerungen über ${limits.plausibleOutputLatencyMs} ms werden nicht ausgeglichen. Stelle den Feinabgleich nach Gehör ein, oder nutze ein Gerät mit Kabel.`,
  },
  output_latency_unknown: {
    title: 'Dein Browser nennt die Verzögerung deines Tons nicht',
    text: 'Sie lässt sich deshalb nicht ausgleichen, und dein Ton kann einige Hundertstelsekunden zu spät sein. Hörst du ein Echo, stelle den Feinabgleich nach Gehör ein.',
  },
  tab_hidden: {
    title: 'Dieser Tab war im Hintergrund',
    text: 'Browser bremsen verborgene Tabs, was Korrekturen verzögert. Am besten bleibt der Tab sichtbar.',
  },
  sync_error_large: {
    title: 'Dein Ton ist nicht synchron',
    text: 'Drücke „Sync“. Bleibt es dabei, schließe andere Programme und nutze für Netz und Ton ein Kabel.',
  },
  sync_error_swinging: {
    title: 'Deine Synchronität schwankt',
    text: 'Das Gerät oder sein Netz ist zeitweise ausgelastet. Schließe andere Tabs und Programme.',
  },
  buffering_often: {
    title: 'Der Ton macht oft Pausen, um zu laden',
    text: 'Das Netz ist für diesen Titel zu langsam. Halte andere Downloads an, oder geh näher an den Router.',
  },
} satisfies Translated<typeof english.diagnosis.findingTexts>

const oneDigit = new Intl.NumberFormat(locale, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: 'negative',
})

const diagnosisMs = (ms: number): string => `${Math.abs(ms) < 10 ? oneDigit.format(ms) : ms.toFixed(0)} ms`

export const diagnosis = {
  title: 'Diagnose',
  text: 'Prüft Verbindung, Uhr und Ton und schlägt vor, was zu tun ist. Es werden keine Daten geteilt.',
  run: 'Diagnose starten',
  running: (steps) => `Geprüft wird: ${steps.join(', ')}...`,
  steps: { server: 'Server', clock: 'Uhr', sound: 'Ton', session: 'Sitzung' },
  progress: 'Fortschritt der Diagnose',
  allGood: 'Alles sieht gut aus',
  allGoodText: 'Verbindung, Uhr und Ton funktionieren, wie sie sollen.',
  done: (count) =>
    count === 0
      ? 'Diagnose fertig: Alles sieht gut aus'
      : plural(count, { one: 'Diagnose fertig: # Befund', other: 'Diagnose fertig: # Befunde' }),
  findings: 'Befunde',
  findingTexts,
  severities: { ok: 'Harmlos', notice: 'Hinweis', problem: 'Problem' },
  facts: 'Messwerte',
  copy: 'Bericht kopieren',
  copied: 'Bericht kopiert',
  copiedText: 'Er enthält keine Namen, Passwörter oder Schlüssel.',
  copyByHand: 'Der Browser erlaubt hier keinen Zugriff auf die Zwischenablage. Kopiere den Bericht von Hand.',
  report: 'Bericht',
  reportTitle: (time) => `${productName}-Diagnose, ${time}`,
  room: 'Raum',
  browser: 'Browser',
  finding: (severity, title, text) => `[${severity}] ${title}. ${text}`,
  ms: diagnosisMs,
  none: 'Keine',
  unknown: 'Unbekannt',
  server: 'Server',
  health: 'Prüfung des Servers',
  healthStates: {
    healthy: (latency) => `In Ordnung, Antwort nach ${latency}`,
    unhealthy: (latency) => `Nicht in Ordnung, Antwort nach ${latency}`,
    unreachable: () => 'Keine Antwort',
  },
  version: 'Version des Servers',
  connection: 'Verbindung zum Raum',
  connectionStates: {
    connected: 'Verbunden',
    connecting: 'Wird verbunden',
    disconnected: 'Getrennt',
    disabled: 'Deaktiviert',
  },
  transports: { websocket: 'WebSocket', polling: 'Long Polling' },
  latency: 'Latenz',
  latencyText: (middle, fastest, slowest) => `${middle} (${fastest} bis ${slowest})`,
  probes: 'Messungen',
  probesText: (answered, sent) => `${answered} von ${sent} beantwortet`,
  clock: 'Abstand der Uhr',
  clockText: (offset, uncertainty) => `${offset}, höchstens ${uncertainty} daneben`,
  clockMissing: 'Noch nicht gemessen',
  skew: 'Drift der Uhr',
  skewText: (ppm) => `${oneDigit.format(ppm)} ppm`,
  deviceClock: 'Uhr dieses Geräts',
  deviceClockText: (aheadMs) =>
    aheadMs < 0 ? `${diagnosisMs(-aheadMs)} hinter dem Server` : `${diagnosisMs(aheadMs)} vor dem Server`,
  sync: 'Sync-Fehler',
  syncText: (p50, p95) => `die Hälfte unter ${p50}, 95 % unter ${p95}`,
  buffering: 'Warten auf Daten',
  bufferingText: (spells) => plural(spells, { one: '#-mal in 2 Minuten', other: '#-mal in 2 Minuten' }),
  autoplay: 'Ton',
  autoplayBlocked: 'Vom Browser blockiert',
  autoplayMuted: 'Hier ausgeschaltet',
  autoplayAllowed: 'Erlaubt',
  player: 'Player',
  players: {
    library: 'Dekodiert und geplant',
    element: 'Audio-Element',
    video: 'Video-Player',
    streaming: 'Streaming-Player',
  },
  playerError: 'Fehler des Players',
  output: 'Ausgabe',
  outputText: (state, sampleRate) => `${state}, ${sampleRate} Hz`,
  outputLatency: 'Latenz der Ausgabe',
  trackFormat: 'Format des Titels',
  formats: 'Formate',
  formatDecoded: (codec) => codec,
  formatPlayed: (codec) => `${codec} (nur Audio-Element)`,
  formatMissing: (codec) => `${codec} (nicht spielbar)`,
  session: 'Sitzung',
  sessions: { signed_in: 'Angemeldet', signed_out: 'Abgemeldet', unreadable: 'Keine Antwort' },
  cookies: 'Cookies',
  cookiesOn: 'An',
  cookiesOff: 'Aus',
  page: 'Seite',
  pageCurrent: 'Aktuell',
  pageOutdated: 'Veraltet',
  context: 'Übertragung',
  contextSecure: 'Über HTTPS oder localhost',
  contextInsecure: 'Über einfaches HTTP',
} satisfies Translated<typeof english.diagnosis>

export const syncErrorChart = {
  title: 'Sync-Fehler, letzte 2 Minuten',
  now: 'Jetzt',
  p50: 'Median',
  p95: '95 %',
  none: '–',
  ms: (errorMs) => `${oneDigit.format(errorMs)} ms`,
  start: 'vor 2 Min.',
  end: 'jetzt',
  ahead: (ms) => `+${ms} ms`,
  behind: (ms) => `−${ms} ms`,
  zero: '0',
  description: (current, p50, p95) =>
    `Sync-Fehler der letzten 2 Minuten: jetzt ${current}, Median ${p50}, in 95 Prozent der Zeit unter ${p95}.`,
  empty: 'Noch keine Daten. Das Diagramm beginnt, wenn der Raum spielt.',
} satisfies Translated<typeof english.syncErrorChart>

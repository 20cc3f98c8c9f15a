import { limits } from '@earshot/core/limits'
import type * as english from '../profile.ts'
import type { Translated } from '../translated.ts'
import { sourceNames } from './common.ts'
import { locale } from './language.ts'

const dateFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric' })

const timeFormat = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

export const profile = {
  title: 'Profil',
  needsLogin: 'Bitte melde dich an, um dein Profil zu sehen',
  thirdParty: 'Software von Dritten',
  loadFailedTitle: 'Dein Profil konnte nicht geladen werden',
  loadFailedText: 'Prüfe deine Internetverbindung oder versuche es noch einmal.',
  account: 'Dein Konto',
  displayName: 'Anzeigename',
  edit: 'Bearbeiten',
  editName: 'Anzeigenamen bearbeiten',
  save: 'Speichern',
  saving: 'Wird gespeichert',
  cancel: 'Abbrechen',
  email: 'E-Mail',
  logOut: 'Abmelden',
  nameRequired: 'Der Anzeigename fehlt',
  nameTooLong: `Ein Anzeigename hat höchstens ${limits.displayNameMaxLength} Zeichen`,
  updated: 'Profil aktualisiert',
  updateFailed: 'Das Profil konnte nicht aktualisiert werden',
  changePicture: 'Bild ändern',
  removePicture: 'Bild entfernen',
  pictureUnreadable: 'Dieses Bild kann nicht gelesen werden',
  pictureFormats: 'Wähle ein Bild im Format JPEG, PNG oder WebP.',
} satisfies Translated<typeof english.profile>

export const security = {
  title: 'Sicherheit',
  changePassword: 'Passwort ändern',
  changeText: 'Hier bleibst du angemeldet, überall sonst wirst du abgemeldet.',
  currentPassword: 'Aktuelles Passwort',
  newPassword: 'Neues Passwort',
  save: 'Passwort speichern',
  saving: 'Wird gespeichert',
  changed: 'Dein Passwort wurde geändert',
  changeFailed: 'Das Passwort konnte nicht geändert werden. Versuche es gleich noch einmal.',
  wrongPassword: 'Das ist nicht dein aktuelles Passwort.',
  noPassword:
    'Dieses Konto hat noch kein Passwort. Lege mit „Passwort vergessen?“ auf der Anmeldeseite eines fest.',
  signOutElsewhere: 'Überall sonst abmelden',
  signedOutElsewhere: 'Du wurdest überall sonst abgemeldet',
  signOutFailed: 'Du konntest anderswo nicht abgemeldet werden',
  delete: 'Konto löschen',
  deleteTitle: 'Dein Konto löschen?',
  deleteGone:
    'Dein Profil, deine verbundenen Dienste, deine Hörzeit und deine Räume mit Warteschlangen und Chats werden endgültig gelöscht. Mitglieder deiner Räume müssen gehen.',
  deleteKept:
    'Nachrichten, die du in Räumen anderer geschrieben hast, bleiben dort unter dem Namen „Unbekannt“.',
  deletePassword: 'Dein Passwort',
  deleting: 'Wird gelöscht',
  deleted: 'Dein Konto wurde gelöscht',
  passwordRequired: 'Das Passwort fehlt',
} satisfies Translated<typeof english.security>

export const sessions = {
  title: 'Wo du angemeldet bist',
  show: 'Wo du angemeldet bist',
  here: 'Dieses Gerät',
  device: (browser, system) => `${browser} auf ${system}`,
  unknownBrowser: 'Ein anderes Programm',
  unknownSystem: 'einem unbekannten System',
  since: (ago) => `Angemeldet: ${ago}`,
  signOut: 'Abmelden',
  signOutOf: (device) => `${device} abmelden`,
  signOutFailed: 'Dort konnte nicht abgemeldet werden',
  loadFailed: 'Deine Sitzungen konnten nicht geladen werden',
  loadFailedText: 'Prüfe deine Internetverbindung oder versuche es noch einmal.',
} satisfies Translated<typeof english.sessions>

export const emailChange = {
  open: 'E-Mail ändern',
  newEmail: 'Neue E-Mail',
  password: 'Dein Passwort',
  save: 'E-Mail speichern',
  saving: 'Wird gespeichert',
  changed: 'Deine E-Mail-Adresse wurde geändert',
  sent: 'Wir haben einen Link an deine neue Adresse geschickt',
  sentText:
    'Deine Adresse ändert sich, sobald du ihn innerhalb einer Stunde in einem Browser öffnest, in dem du angemeldet bist.',
  unchanged: 'Deine E-Mail-Adresse wurde nicht geändert',
  unchangedText: 'Der Link ist abgelaufen oder beschädigt.',
  required: 'Die E-Mail-Adresse fehlt',
  failed: 'Die E-Mail-Adresse konnte nicht geändert werden. Versuche es gleich noch einmal.',
} satisfies Translated<typeof english.emailChange>

export const stats = {
  title: 'Deine Statistik',
  roomsCreated: 'Erstellte Räume',
  listeningTime: 'Gesamte Hörzeit',
  favorite: 'Lieblingsdienst',
  noFavorite: 'Noch keiner',
  duration: (minutes) => `${Math.floor(minutes / 60)} Std. ${Math.floor(minutes % 60)} Min.`,
  loadFailed: 'Deine Statistik konnte nicht geladen werden',
} satisfies Translated<typeof english.stats>

export const integrations = {
  title: 'Musikdienste',
  connected: 'Verbunden',
  notConnected: 'Nicht verbunden',
  connect: 'Verbinden',
  connecting: 'Wird verbunden',
  reconnect: 'Erneut verbinden',
  disconnect: 'Trennen',
  disconnectFailed: (source) => `${sourceNames[source]} konnte nicht getrennt werden`,
  disconnected: (source) => `${sourceNames[source]} getrennt`,
  notSetUp: (source) => `${sourceNames[source]} ist auf diesem Server nicht eingerichtet.`,
  loadFailed: (source) => `Der Stand von ${sourceNames[source]} konnte nicht geladen werden`,
} satisfies Translated<typeof english.integrations>

export const spotify = {
  text: 'Verbinde dein Konto, um bei Spotify zu suchen und mit Spotify Premium dessen Titel zu hören.',
  connectedAs: (name) => `Verbunden als ${name}`,
  connectedSince: (atMs) => `Seit ${dateFormat.format(atMs)}`,
  expiresSoon: (atMs) =>
    `Spotify beendet diese Verbindung am ${dateFormat.format(atMs)}, sechs Monate nach deiner Zustimmung. Verbinde dich erneut, um sie zu behalten.`,
  expiresSoonUnknown: 'Spotify beendet diese Verbindung bald. Verbinde dich erneut, um sie zu behalten.',
  mustReconnect:
    'Deine Verbindung zu Spotify ist beendet. Verbinde dich erneut, um dort zu suchen und Titel zu hören.',
  errorTitle: 'Fehler',
} satisfies Translated<typeof english.spotify>

export const youtube = {
  text: 'Videos laufen ohne Konto. Die Suche braucht einen Schlüssel der YouTube Data API.',
  usesOwnKey: 'Die Suche nutzt deinen eigenen API-Schlüssel.',
  usesServerKey: 'Die Suche nutzt den Schlüssel dieses Servers.',
  needsOwnKey: 'Dieser Server hat keinen eigenen Schlüssel. Gib deinen ein, um auf YouTube zu suchen.',
  test: 'Verbindung testen',
  testing: 'Wird getestet',
  key: 'Dein eigener API-Schlüssel (freiwillig)',
  keyRequired: 'Dein eigener API-Schlüssel',
  keyHint: 'Er wird geprüft, verschlüsselt gespeichert und nie wieder angezeigt.',
  keyMissing: 'Gib einen API-Schlüssel ein: Dieser Server hat keinen eigenen.',
  showKey: 'Schlüssel anzeigen',
  hideKey: 'Schlüssel verbergen',
  failedTitle: 'Verbindung fehlgeschlagen',
  errorAlert: 'Verbindungsfehler:',
  verified: 'Bestätigt mit Beispielergebnissen:',
  open: 'Öffnen',
  openVideo: (title) => `${title} auf YouTube in einem neuen Tab öffnen`,
  quota: 'Suchen heute',
  quotaText: (used, limit) => `${used} von ${limit}`,
  quotaReset: (atMs) => `Beginnt neu um ${timeFormat.format(atMs)}`,
} satisfies Translated<typeof english.youtube>

export const preferences = {
  title: 'Musikeinstellungen',
  source: 'Standard-Musikquelle:',
  sourceHint: 'Neue Räume und Suchen beginnen mit ihr.',
  notSetUp: 'Auf diesem Server nicht eingerichtet',
  updated: 'Einstellung geändert',
  sourceSet: (source) => `Standard-Musikquelle: ${sourceNames[source]}`,
  matchElsewhere: 'Titel, die ich nicht hören kann, aus einer anderen Quelle anbieten',
  matchElsewhereHint:
    'Kannst du einen Titel nicht hören, bietet Earshot dir denselben Song aus einer anderen Quelle an, nur für dich.',
  matchElsewhereOn: 'Titel, die du nicht hören kannst, werden aus einer anderen Quelle angeboten',
  matchElsewhereOff: 'Titel, die du nicht hören kannst, werden nicht mehr aus einer anderen Quelle angeboten',
} satisfies Translated<typeof english.preferences>

export const callback = {
  title: 'Spotify wird verbunden',
  loading: 'Deine Anmeldung wird verarbeitet...',
  success: 'Spotify ist verbunden!',
  redirecting: 'Du wirst zu deinem Profil zurückgeleitet...',
  error: 'Fehler beim Verbinden mit Spotify',
  returnToProfile: 'Zurück zum Profil',
  logs: 'Protokoll der Anmeldung',
  noCode: 'Spotify hat keinen Autorisierungscode geschickt',
  authorizationError: (error) => `Autorisierungsfehler von Spotify: ${error}`,
  failed: 'Die Anmeldung bei Spotify ist fehlgeschlagen. Einzelheiten stehen im Protokoll.',
  unknownError: 'Ein unbekannter Fehler ist aufgetreten',
  log: {
    returned: 'Zurück von Spotify',
    error: (error) => `Spotify meldet: ${error}`,
    noCode: 'Die Adresse enthält keinen Autorisierungscode',
    noState:
      'Die Adresse enthält keinen State und gehört damit nicht zu einer Verbindung, die du begonnen hast',
    signedOut: 'Du bist nicht angemeldet',
    received: 'Autorisierungscode erhalten',
    sending: 'Der Code wird an den Server gesendet',
    failed: (message) => `Der Server konnte Spotify nicht verbinden: ${message}`,
    connected: 'Der Server ist mit deinem Spotify-Konto verbunden',
  },
} satisfies Translated<typeof english.callback>

export const authLink = {
  title: 'Autorisierungslink für Spotify',
  text: 'Für Betreiber: prüft die Einstellungen einer Spotify-App. Diese Seite verbindet kein Konto.',
  clientId: 'Client-ID',
  redirectUri: 'Redirect-URI',
  redirectHint: 'Genau wie im Spotify-Dashboard. Spotify lehnt „localhost“ ab: Verwende 127.0.0.1.',
  generate: 'Link erzeugen',
  url: 'Autorisierungslink',
  copy: 'Kopieren',
  copied: 'Autorisierungslink kopiert',
  copyFailed: 'Der Browser hat das Kopieren nicht erlaubt. Markiere die Adresse und kopiere sie.',
  open: 'Link öffnen',
  clientIdRequired: 'Die Client-ID fehlt',
  redirectUriRequired: 'Die Redirect-URI fehlt',
  failed: 'Der Link konnte nicht erzeugt werden',
  failedText: 'Die Redirect-URI muss mit https:// oder http:// beginnen.',
} satisfies Translated<typeof english.authLink>

import type * as english from '../common.ts'
import type { Translated } from '../translated.ts'

export const productName = 'Earshot'

export const sourceNames = {
  library: 'Bibliothek',
  spotify: 'Spotify',
  youtube: 'YouTube',
} satisfies Translated<typeof english.sourceNames>

export const errorTexts = {
  unauthenticated: 'Du bist nicht angemeldet',
  origin_refused:
    'Dieser Server akzeptiert diese Adresse nicht. Der Betreiber kann sie mit der Einstellung PUBLIC_URL zulassen.',
  client_key_required: 'Diese App hat keinen gültigen Schlüssel für diesen Server.',
  sign_up_closed: 'Dieser Server nimmt keine neuen Konten an.',
  invite_required:
    'Registrieren kannst du dich nur mit Einladung, und diese fehlt, ist aufgebraucht oder abgelaufen.',
  name_taken: 'Dieser Name ist vergeben. Wähle einen anderen.',
  account_disabled: 'Dieses Konto ist deaktiviert. Wende dich an die Administration dieses Servers.',
  not_admin: 'Das kann nur die Administration.',
  wrong_code: 'Dieser Code ist falsch oder abgelaufen.',
  library_closed: 'Die Bibliothek dieses Servers ist für eingeladene Mitglieder.',
  room_not_found: 'Raum nicht gefunden',
  track_not_found: 'Dieser Titel ist nicht mehr verfügbar.',
  queue_entry_not_found: 'Dieser Titel ist nicht mehr in der Warteschlange.',
  not_a_member: 'Tritt zuerst dem Raum bei.',
  not_owner: 'Das kann nur der Besitzer des Raums.',
  banned: 'Der Besitzer dieses Raums hat dich gesperrt.',
  not_your_entry: 'In diesem Raum kannst du nur entfernen, was du selbst hinzugefügt hast.',
  password_required: 'Dieser Raum braucht ein Passwort.',
  wrong_password: 'Falsches Passwort. Versuche es noch einmal.',
  account_required: 'Gäste können das nicht. Erstelle zuerst ein Konto.',
  guests_not_admitted: 'In diesen Raum kommen Gäste nur mit einem Einladungslink.',
  guests_cannot_chat: 'Gäste können in diesem Raum nicht chatten.',
  no_track: 'Es läuft kein Titel.',
  queue_full: 'Die Warteschlange ist voll.',
  too_many_rooms: 'Du hast zu viele Räume. Lösche zuerst einen.',
  source_unavailable: 'Diese Quelle gibt es auf diesem Server nicht.',
  not_connected: 'Verbinde zuerst dein Konto.',
  must_reconnect: 'Die Verbindung zu deinem Konto ist beendet. Verbinde es erneut.',
  provider_failed: 'Der Anbieter hat nicht geantwortet. Versuche es gleich noch einmal.',
  provider_limit: 'Das Limit des Anbieters ist erreicht. Versuche es später noch einmal.',
  link_not_supported: 'Nur Links zu Titeln und Playlists von YouTube und Spotify können hinzugefügt werden.',
  invalid_input: 'Der Server hat diese Anfrage als ungültig abgelehnt.',
  payload_too_large: 'Das ist zu lang.',
  unknown_event: 'Der Server unterstützt das nicht.',
  not_found: 'Nicht gefunden.',
  rate_limited: 'Zu viele Anfragen. Warte einen Moment und versuche es noch einmal.',
  unavailable: 'Der Server ist gerade nicht verfügbar.',
  internal: 'Auf dem Server ist etwas schiefgegangen.',
} satisfies Translated<typeof english.errorTexts>

export const common = {
  close: 'Schließen',
  loading: 'Wird geladen',
  unknownUser: 'Unbekannt',
  unexpectedTitle: 'Etwas ist schiefgegangen',
  unexpectedText: 'Diese Seite konnte nicht angezeigt werden. Lade sie neu, um es noch einmal zu versuchen.',
  unloadedTitle: 'Dieser Teil konnte nicht geladen werden',
  unloadedText:
    'Prüfe deine Verbindung und lade die Seite neu. Vielleicht gibt es auch eine neue Version von Earshot.',
  reload: 'Neu laden',
  tryAgain: 'Erneut versuchen',
  partFailed: 'Dieser Teil konnte nicht angezeigt werden',
  pageNotFound: 'Seite nicht gefunden',
  pageNotFoundText: 'Unter dieser Adresse gibt es nichts.',
  returnHome: 'Zur Startseite',
  skipToContent: 'Zum Inhalt springen',
  notifications: 'Benachrichtigungen',
} satisfies Translated<typeof english.common>

export const roomClosed = {
  title: (room) => (room === null ? 'Dieser Raum wurde geschlossen' : `„${room}“ wurde geschlossen`),
  text: 'Der Raum wurde gelöscht. Du kannst einem anderen beitreten oder einen erstellen.',
} satisfies Translated<typeof english.roomClosed>

export const update = {
  title: 'Eine neue Version ist verfügbar',
  reload: 'Neu laden',
  later: 'Später',
} satisfies Translated<typeof english.update>

export const splash = { text: 'Deine Musik wird geladen...' } satisfies Translated<typeof english.splash>

export const topBar = {
  navigation: 'Hauptmenü',
  home: 'Start',
  explore: 'Räume entdecken',
  profile: 'Profil',
  administration: 'Administration',
  createRoom: 'Raum erstellen',
  signIn: 'Anmelden',
  logout: 'Abmelden',
  openMenu: 'Menü öffnen',
  closeMenu: 'Menü schließen',
  accountMenu: (name) => `Konto von ${name}`,
  useLightMode: 'Zum hellen Design wechseln',
  useDarkMode: 'Zum dunklen Design wechseln',
} satisfies Translated<typeof english.topBar>

export const authentication = {
  requiredWarning: 'Anmeldung erforderlich',
  requiredNotice: 'Anmeldung erforderlich',
  joinNeedsLogin: 'Bitte melde dich an, um einem Raum beizutreten',
  createNeedsLogin: 'Bitte melde dich an, um einen Raum zu erstellen',
  welcome: (name) => `Willkommen, ${name}`,
  signedOut: 'Du wurdest abgemeldet',
  signOutFailed: 'Abmelden fehlgeschlagen',
  unreadableTitle: 'Deine Anmeldung konnte nicht geprüft werden',
  unreadableText: 'Prüfe deine Internetverbindung oder versuche es noch einmal.',
  sessionErrorTitle: 'Fehler bei der Anmeldung',
  sessionErrorText:
    'Der Anmeldedienst war nicht zu erreichen. Einige Funktionen stehen möglicherweise nicht zur Verfügung.',
} satisfies Translated<typeof english.authentication>

import type * as english from '../common.ts'
import type { Translated } from '../translated.ts'
import { named } from '../grammar/named.ts'

export const productName = 'Earshot'

export const sourceNames = {
  library: 'Bibliothek',
  spotify: 'Spotify',
  youtube: 'YouTube',
} satisfies Translated<typeof english.sourceNames>

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
  pageNotFound: 'Seite nicht gefunden',
  pageNotFoundText: 'Unter dieser Adresse gibt es nichts.',
  returnHome: 'Zur Startseite',
  skipToContent: 'Zum Inhalt springen',
  notifications: 'Benachrichtigungen',
} satisfies Translated<typeof english.common>

export const update = {
  title: 'Eine neue Version ist verfügbar',
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
  accountMenu: (name) => named`Konto von ${name}`,
  useLightMode: 'Zum hellen Design wechseln',
  useDarkMode: 'Zum dunklen Design wechseln',
} satisfies Translated<typeof english.topBar>

export const authentication = {
  requiredWarning: 'Anmeldung erforderlich',
  requiredNotice: 'Anmeldung erforderlich',
  joinNeedsLogin: 'Bitte melde dich an, um einem Raum beizutreten',
  welcome: (name) => named`Willkommen, ${name}`,
  signedIn: 'Du bist angemeldet',
  signedOut: 'Du wurdest abgemeldet',
  sessionEnded: 'Deine Sitzung wurde beendet',
  signOutFailed: 'Abmelden fehlgeschlagen',
  unreadableTitle: 'Deine Anmeldung konnte nicht geprüft werden',
  unreadableText: 'Prüfe deine Internetverbindung oder versuche es noch einmal.',
  sessionErrorTitle: 'Fehler bei der Anmeldung',
  sessionErrorText:
    'Der Anmeldedienst war nicht zu erreichen. Einige Funktionen stehen möglicherweise nicht zur Verfügung.',
} satisfies Translated<typeof english.authentication>

import type * as english from '../admin.ts'
import { formatBytes, splitDuration } from '../grammar/amounts.ts'
import type { Translated } from '../translated.ts'
import { locale } from './language.ts'
import { plural } from './plural.ts'

export const admin = {
  title: 'Administration',
  needsLogin: 'Bitte melde dich an, um diesen Server zu verwalten',
  sections: 'Bereiche',
  overview: 'Übersicht',
  users: 'Benutzer',
  rooms: 'Räume',
  invites: 'Einladungen',
  library: 'Bibliothek',
  loadFailed: 'Das konnte nicht geladen werden',
  loadFailedText: 'Prüfe deine Internetverbindung oder versuche es noch einmal.',
  failed: 'Das hat nicht geklappt',
  search: 'Suchen',
  more: 'Mehr anzeigen',
  total: (count) => plural(count, { one: 'Insgesamt #', other: 'Insgesamt #' }),
  cancel: 'Abbrechen',
  copy: 'Link kopieren',
  copied: 'Link kopiert',
  copyFailed: 'Der Link konnte nicht kopiert werden. Bitte kopiere ihn von Hand.',
  created: (ago) => `Erstellt: ${ago}`,
  actionsOf: (name) => `Aktionen für ${name}`,
} satisfies Translated<typeof english.admin>

export const adminCode = {
  title: 'Administration übernehmen',
  text: 'Dieser Server hat noch keine Administration. Gib den Einmalcode ein, den er beim Start protokolliert hat. Einen neuen bekommst du auf dem Server mit:',
  command: 'npm run admin -- code',
  code: 'Code',
  placeholder: 'ABCD-EFGH-JKMN',
  submit: 'Weiter',
  checking: 'Wird geprüft',
  required: 'Gib den Code ein',
  done: 'Du administrierst jetzt diesen Server',
} satisfies Translated<typeof english.adminCode>

export const adminUsers = {
  searchFor: 'Benutzer nach Name oder E-Mail suchen',
  none: 'Keine Benutzer gefunden',
  admin: 'Administration',
  disabled: 'Deaktiviert',
  library: 'Bibliothek',
  seen: (ago) => `Zuletzt da: ${ago}`,
  neverSeen: 'Nicht angemeldet',
  disable: 'Deaktivieren',
  enable: 'Aktivieren',
  makeAdmin: 'Administration erlauben',
  removeAdmin: 'Administration entziehen',
  giveLibrary: 'In die Bibliothek lassen',
  takeLibrary: 'Zugang zur Bibliothek entziehen',
  resetLink: 'Link für neues Passwort erstellen',
  resetTitle: (name) => `Ein neues Passwort für ${name}`,
  resetText:
    'Gib diesen Link nur an die Person weiter, der das Konto gehört. Er legt innerhalb einer Stunde einmal ein neues Passwort fest.',
  disableTitle: (name) => `${name} deaktivieren?`,
  disableText:
    'Die Person wird sofort überall abgemeldet und kann sich erst wieder anmelden, wenn du das Konto aktivierst.',
  delete: 'Löschen',
  deleteTitle: (name) => `${name} löschen?`,
  deleteText:
    'Das Konto, sein Profil und seine Räume werden endgültig gelöscht. Seine Nachrichten in anderen Räumen bleiben.',
} satisfies Translated<typeof english.adminUsers>

export const adminRooms = {
  searchFor: 'Räume nach Namen suchen',
  none: 'Keine Räume gefunden',
  private: 'Privat',
  owner: (name) => `Gehört ${name}`,
  members: (count) => plural(count, { one: '# Mitglied', other: '# Mitglieder' }),
  rename: 'Umbenennen',
  renameTitle: 'Raum umbenennen',
  name: 'Name des Raums',
  save: 'Speichern',
  nameRequired: 'Name fehlt',
  delete: 'Löschen',
  deleteTitle: (name) => `${name} löschen?`,
  deleteText:
    'Der Raum, seine Warteschlange und sein Chat werden endgültig gelöscht. Seine Mitglieder müssen gehen.',
} satisfies Translated<typeof english.adminRooms>

export const adminInvites = {
  text: 'Wer einen Einladungslink hat, kann auf diesem Server ein Konto erstellen.',
  note: 'Für wen (freiwillig)',
  uses: 'Anzahl der Konten',
  days: 'Gültig (Tage)',
  usesWrong: 'Von 1 bis 1000',
  daysWrong: 'Von 1 bis 365',
  library: 'Erlaubt die Bibliothek',
  libraryHint: 'Wichtig, wenn die Bibliothek dieses Servers nur für eingeladene Mitglieder ist.',
  create: 'Einladung erstellen',
  linkTitle: 'Der Einladungslink',
  linkText: 'Er wird nur jetzt angezeigt. Gib ihn weiter, wie du möchtest.',
  none: 'Keine Einladungen',
  noneText: 'Deine Einladungen stehen hier, bis sie ablaufen.',
  untitled: 'Ohne Notiz',
  used: (uses, maxUses) => `${uses} von ${maxUses} Mal benutzt`,
  expires: (day) => `Gilt bis ${day}`,
  revoke: 'Widerrufen',
  revokeOf: (note) => `Einladung „${note}“ widerrufen`,
} satisfies Translated<typeof english.adminInvites>

export const adminLibrary = {
  scan: 'Jetzt einlesen',
  scanning: 'Wird eingelesen',
  tracks: (count) => plural(count, { one: '# Titel', other: '# Titel' }),
  upToDate: 'Die Bibliothek ist auf dem neuesten Stand.',
  isScanning: 'Der Musikordner wird eingelesen. Neue Titel erscheinen, sobald sie gefunden sind.',
  problems: (count) =>
    plural(count, { one: 'Eine Datei ist nicht nutzbar', other: '# Dateien sind nicht nutzbar' }),
  firstProblems: (count) => `Die ersten ${count} werden angezeigt.`,
  noProblems: 'Alle Dateien sind nutzbar.',
} satisfies Translated<typeof english.adminLibrary>

export const figures = {
  now: 'Jetzt',
  storage: 'Speicher',
  members: 'Mitglieder in Räumen',
  sockets: 'Verbindungen',
  rooms: 'Räume',
  users: 'Benutzer',
  memory: 'Arbeitsspeicher',
  uptime: 'Laufzeit',
  delay: 'Verzögerung der Ereignisschleife (99 %)',
  version: 'Version',
  database: 'Datenbank',
  covers: 'Cover',
  cache: 'Indizes der Audiodateien',
  copies: 'Kopien, Sicherungen und Mails',
  free: 'Freier Speicherplatz',
  none: '--',
  ms: (ms) => `${oneDigit.format(ms)} ms`,
  bytes: (bytes) => formatBytes(bytes, locale),
  duration: (ms) => {
    const { days, hours, minutes } = splitDuration(ms)
    return days > 0 ? `${days} T ${hours} Std.` : `${hours} Std. ${minutes} Min.`
  },
} satisfies Translated<typeof english.figures>

const oneDigit = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

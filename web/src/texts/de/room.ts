import type * as english from '../room.ts'
import type { Translated } from '../translated.ts'
import { plural } from './plural.ts'
import { named } from '../grammar/named.ts'

export const room = {
  title: 'Raum',
  loading: 'Raum wird geladen...',
  notFoundTitle: 'Raum nicht gefunden',
  notFoundText: 'Den gesuchten Raum gibt es nicht, oder du darfst ihm nicht beitreten.',
  returnHome: 'Zur Startseite',
  connectingTitle: 'Raum wird geladen...',
  connectingText: 'Verbindung zum Raumserver wird hergestellt...',
  connectingHint: 'Dauert es lange, prüfe deine Internetverbindung oder versuche es noch einmal.',
  retryConnection: 'Erneut verbinden',
  reconnectingNotice: 'Verbindung wird wiederhergestellt',
  joinFailedTitle: 'Fehler beim Beitreten',
  joinFailedText: 'Du konntest dem Raum nicht beitreten. Bitte versuche es noch einmal.',
  screenFailedTitle: 'Der Raum konnte nicht angezeigt werden',
  screenFailedText: 'Die Musik läuft weiter.',
  partFailed: 'Dieser Teil konnte nicht angezeigt werden',
  memberCount: (count) => plural(count, { one: '# Mitglied', other: '# Mitglieder' }),
  owner: 'Besitzer',
  sideColumn: 'Warteschlange, Musik und Chat',
  ownerIsYou: 'Du',
  offline: 'Du bist offline. Die Musik läuft weiter, solange sie gepuffert ist.',
  reconnecting: 'Verbindung verloren. Wird wiederhergestellt...',
  connectionDisabled: 'Der Raumserver ist nicht erreichbar.',
  commandFailedTitle: 'Fehler',
  inRoom: 'In',
  lostTitle: 'Du bist nicht mehr im Raum',
  lostText: 'Er wurde geschlossen, oder du darfst ihm nicht mehr beitreten.',
} satisfies Translated<typeof english.room>

export const roomClosed = {
  title: (room) => (room === null ? 'Dieser Raum wurde geschlossen' : named`„${room}“ wurde geschlossen`),
  text: 'Der Raum wurde gelöscht. Du kannst einem anderen beitreten oder einen erstellen.',
} satisfies Translated<typeof english.roomClosed>

export const invite = {
  open: 'Einladen',
  title: 'Leute einladen',
  link: 'Link zu diesem Raum',
  copy: 'Link kopieren',
  copied: 'Link kopiert',
  copiedText: 'Teile ihn mit den Leuten, die du einladen möchtest.',
  copyFailed: 'Der Link konnte nicht kopiert werden',
  copyFailedText: 'Er ist jetzt markiert, so kannst du ihn von Hand kopieren.',
  share: 'Teilen',
  code: 'QR-Code des Links',
  publicText: 'Alle, die ein Konto und diesen Link haben, können beitreten.',
  openText: 'Alle mit diesem Link können mithören. Ein Konto ist nicht nötig.',
  guestText: (date) => `Alle mit diesem Link können bis ${date} mithören. Ein Konto ist nicht nötig.`,
  accountText: (date) => `Alle mit diesem Link und einem Konto können bis ${date} ohne Passwort beitreten.`,
  ownerText: (date) => `Alle mit diesem Link können bis ${date} ohne Passwort beitreten.`,
  memberText:
    'Wer diesen Link öffnet, wird nach dem Passwort gefragt. Der Besitzer kann einen Link erstellen, der keines braucht.',
  createFailedPublic: 'Es konnte kein Einladungslink erstellt werden. Mit diesem Link braucht man ein Konto.',
  createFailed: 'Es konnte kein Einladungslink erstellt werden. Dieser Link fragt nach dem Passwort.',
  once: 'Für eine Person',
  onceHint: 'Der Link lässt die erste Person ein, die mit ihm beitritt.',
  onceText: (date) => `Die erste Person, die mit diesem Link beitritt, wird eingelassen, bis ${date}.`,
  revoke: 'Alle Links beenden',
  revoked: 'Frühere Links gelten nicht mehr',
  revokedText: 'Wer schon beigetreten ist, bleibt zugelassen.',
  revokeFailed: 'Die Links konnten nicht beendet werden. Bitte versuche es noch einmal.',
} satisfies Translated<typeof english.invite>

export const members = {
  title: 'Mitglieder des Raums',
  online: (count) => `${count} online`,
  none: 'Keine Mitglieder online',
  owner: 'Besitzer',
  you: 'Du',
  more: (count) => `und ${count} weitere`,
} satisfies Translated<typeof english.members>

export const roomTabs = {
  label: 'Raum',
  queue: 'Warteschlange',
  findMusic: 'Musik finden',
  chat: 'Chat',
  unread: (count) => `${count} ungelesen`,
  changed: 'geändert',
} satisfies Translated<typeof english.roomTabs>

export const keyboard = {
  title: 'Tastatur',
  open: 'Tastenkürzel',
  switch: 'Kürzel mit nur einer Taste',
  switchHint:
    'Aus: Tasten tun nichts, solange kein Knopf oder Feld ausgewählt ist. Dieses Gerät merkt sich die Einstellung.',
  keys: [
    { key: 's', does: 'Deinen Ton mit dem Raum synchronisieren' },
    { key: 'Leertaste', does: 'Abspielen oder pausieren, wenn du steuerst' },
    { key: 'm', does: 'Ton aus oder an' },
    { key: 'f', does: 'Hörmodus' },
    { key: '/', does: 'Musik suchen' },
    { key: '1 – 6', does: 'Auf die Musik reagieren' },
    { key: '↑ ↓', does: 'Durch eine Liste gehen' },
    { key: '?', does: 'Diese Liste zeigen' },
  ],
} satisfies Translated<typeof english.keyboard>

export const reactions = {
  title: 'Reaktionen',
  names: {
    love: 'Liebe ich',
    fire: 'Feuer',
    party: 'Party',
    laugh: 'Haha',
    wow: 'Wow',
    thumbs_up: 'Daumen hoch',
  },
  summary: (count) => plural(count, { one: '# Reaktion', other: '# Reaktionen' }),
  failedTitle: 'Fehler',
  failedText: 'Deine Reaktion konnte nicht gesendet werden.',
} satisfies Translated<typeof english.reactions>

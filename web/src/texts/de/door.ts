import type * as english from '../door.ts'
import type { Translated } from '../translated.ts'
import { plural } from './plural.ts'
import { named } from '../grammar/named.ts'

export const door = {
  scene: ({ owner, room, track, isPlaying, isOwnerHere }) => {
    if (track === null) return named`Höre mit ${owner} in ${room}`
    if (!isPlaying) return named`Als Nächstes mit ${owner} in ${room}: ${track}`
    return isOwnerHere
      ? named`${owner} spielt ${track} in ${room}`
      : named`${track} läuft in ${room}, dem Raum von ${owner}`
  },
  private: (room) => named`${room} ist privat`,
  thisRoomIsPrivate: 'Dieser Raum ist privat',
  listening: (count) => plural(count, { one: '# Person ist hier', other: '# Personen sind hier' }),
  nobody: 'Noch ist niemand hier',
  name: 'Dein Name',
  namePlaceholder: 'Der Name, den andere sehen',
  nameMissing: 'Gib zuerst einen Namen ein.',
  listen: 'Mithören',
  entering: 'Beitritt läuft',
  orAccount: 'Hast du ein Konto?',
  signIn: 'Anmelden',
  createAccount: 'Konto erstellen',
  closed: {
    nobody: (owner) =>
      named`Melde dich an, um mitzuhören: ${owner || 'der Besitzer'} lässt nur Leute mit Konto herein.`,
    invited: (owner) =>
      named`Melde dich an, um mitzuhören, oder bitte ${owner || 'den Besitzer'} um einen Einladungslink: Damit brauchst du kein Konto.`,
    everyone: () => 'Melde dich an, um mitzuhören.',
  },
  networkBanned: 'Melde dich an, um mitzuhören: Neue Gäste aus diesem Netz können derzeit nicht beitreten.',
  inviteEnded: (owner) =>
    named`Dieser Einladungslink gilt nicht mehr. Bitte ${owner || 'den Besitzer'} um einen neuen oder melde dich an.`,
  failed: 'Du konntest nicht beitreten. Prüfe deine Internetverbindung und versuche es noch einmal.',
  loadFailedTitle: 'Der Raum konnte nicht geladen werden',
  loadFailedText: 'Prüfe deine Internetverbindung oder versuche es noch einmal.',
  sessionEnded:
    'Deine Sitzung wurde beendet, deshalb ist die Musik hier verstummt. Komm wieder herein, um weiterzuhören.',
  askPassword: 'Gib das Passwort ein oder bitte den Besitzer um einen Einladungslink.',
  askPasswordInviteEnded:
    'Dieser Einladungslink gilt nicht mehr. Gib das Passwort des Raums ein oder bitte den Besitzer um einen neuen Link.',
  password: 'Passwort des Raums',
  join: 'Raum beitreten',
  checking: 'Wird geprüft',
  manyGuests: (when) =>
    `Aus diesem Netz kommen gerade viele Gäste. Versuche es ${when} noch einmal oder melde dich an.`,
  wait: (seconds) =>
    plural(seconds, {
      one: 'Zu viele Versuche. Versuche es in # Sekunde noch einmal.',
      other: 'Zu viele Versuche. Versuche es in # Sekunden noch einmal.',
    }),
} satisfies Translated<typeof english.door>

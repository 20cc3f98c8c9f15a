import type { Activity } from '@earshot/core/protocol/activity'
import type * as english from '../people.ts'
import type { Translated } from '../translated.ts'
import { plural } from './plural.ts'
import { named } from '../grammar/named.ts'

const roomNamed = (name: string | undefined) => (name === undefined ? 'diesem Raum' : named`„${name}“`)
const tracks = (title: string | undefined, count: number) =>
  count > 1 || title === undefined ? plural(count, { one: '# Titel', other: '# Titel' }) : named`„${title}“`

export const people = {
  kickedTitle: (room) => `Du wurdest aus ${roomNamed(room)} entfernt`,
  kickedText: 'Der Besitzer des Raums hat dich entfernt. Du kannst wieder beitreten.',
  bannedTitle: (room) => named`Du bist für ${room === undefined ? 'diesen Raum' : named`„${room}“`} gesperrt`,
  bannedText:
    'Der Besitzer des Raums hat das entschieden und kann es zurücknehmen. Bis dahin kannst du nicht beitreten.',
  joinAgain: 'Wieder beitreten',
  guest: 'Gast',
  hasControls: 'Steuert gerade',
  showMore: (count) => `${count} weitere anzeigen`,
  moreFailed: 'Weitere Personen konnten nicht geladen werden. Bitte versuche es noch einmal.',
  actionsFor: (name) => named`${name} entfernen`,
  notListening: 'Noch keine Werte',
  ring: 'Personen im Raum',
  others: (count) => `und ${count} weitere`,
  plus: (count) => `+${count}`,
  alone: 'Du bist allein hier',
  invite: 'Leute einladen',
  diagnose: 'Meinen Ton prüfen',
  causes: {
    in_sync: 'Der Ton des Raums kommt im richtigen Moment.',
    correcting: 'Holt die Position des Raums ein.',
    buffering: 'Wartet, bis Musik geladen ist.',
    ad: 'Es läuft Werbung. Der Raum spielt weiter.',
    hidden: 'Die Seite ist im Hintergrund, wo Browser sie bremsen.',
    blocked: 'Der Browser wartet auf ein Tippen, bevor er Ton abspielt.',
    unplayable: 'Dieses Gerät kann den Titel nicht spielen.',
    no_clock: 'Der Abstand zur Uhr des Servers wird gemessen.',
    paused: 'Es läuft nichts.',
  },
} satisfies Translated<typeof english.people>

export function describeActivity({ kind, user, title, count = 1 }: Activity, isOwn: boolean): string | null {
  const name = isOwn ? 'Du' : (user?.username ?? 'Der Raum')
  const has = isOwn ? 'Du hast' : named`${name} hat`
  switch (kind) {
    case 'added':
      return `${has} ${tracks(title, count)} hinzugefügt`
    case 'removed':
      return `${has} ${tracks(title, count)} entfernt`
    case 'skipped':
      return `${has} ${tracks(title, count)} übersprungen`
    case 'voted_out':
      return `Durch Abstimmung übersprungen: ${tracks(title, count)}`
    case 'played_next':
      return `${has} ${tracks(title, count)} als Nächstes eingereiht`
    case 'joined':
      if (count > 1) return `${count} Personen sind beigetreten`
      return isOwn ? 'Du bist beigetreten' : named`${name} ist beigetreten`
    case 'left':
      if (count > 1) return `${count} Personen sind gegangen`
      return isOwn ? 'Du bist gegangen' : named`${name} ist gegangen`
    case 'controls':
      return `${has} die Steuerung`
    case 'kicked':
      return `${isOwn ? 'Du wurdest' : named`${name} wurde`} vom Besitzer entfernt`
    case 'banned':
      return `${isOwn ? 'Du wurdest' : named`${name} wurde`} vom Besitzer gesperrt`
    default:
      return null
  }
}

import type * as english from '../room-settings.ts'
import type { Translated } from '../translated.ts'
import { named } from '../grammar/named.ts'

export const controls = {
  hint: (owner, controller) =>
    controller === null
      ? named`${owner} steuert die Wiedergabe`
      : named`${owner} ist weg, ${controller} steuert`,
  nobody: (owner) => named`${owner} ist weg, niemand steuert`,
  yours: (owner) => named`${owner} ist weg, du steuerst jetzt`,
} satisfies Translated<typeof english.controls>

export const roomSettings = {
  open: 'Raumeinstellungen',
  // With a soft hyphen: wider than the narrowest phones.
  title: 'Raum\u00ADeinstellungen',
  name: 'Name des Raums',
  control: 'Wer die Wiedergabe steuert',
  controlChoices: {
    owner: { title: 'Nur ich', text: 'Niemand steuert, während du weg bist' },
    hand_over: {
      title: 'Ich, und jemand anderes, während ich weg bin',
      text: 'Nach einer Minute das Mitglied, das am längsten da ist, bis du zurückkommst',
    },
    everybody: {
      title: 'Alle',
      text: 'Alle Mitglieder können abspielen, pausieren, spulen und überspringen',
    },
  },
  skipVotes: 'Abstimmen, um einen Titel zu überspringen',
  skipVotesChoices: {
    off: { title: 'Keine Abstimmung', text: 'Nur wer die Steuerung hat, überspringt' },
    half: {
      title: 'Mehr als die Hälfte der Hörenden',
      text: 'Auch Gäste stimmen ab. Wer weg ist, zählt nicht',
    },
    third: { title: 'Ein Drittel der Hörenden', text: 'Für Räume, die viele nur nebenbei hören' },
  },
  guests: 'Leute ohne Konto',
  guestChoices: {
    nobody: { title: 'Kommen nicht herein', text: 'Alle brauchen ein Konto' },
    invited: { title: 'Mit einem Einladungslink', text: 'Nur über einen Link, den du teilst' },
    everyone: { title: 'Kommen herein', text: 'Zum Mithören reicht ein Name' },
  },
  guestsChat: 'Gäste dürfen chatten',
  guestsChatHint: 'Sonst hören sie zu und lesen mit.',
  guestsQueue: 'Gäste dürfen die Warteschlange ändern',
  guestsQueueHint: 'Sonst können sie nichts hinzufügen, verschieben oder entfernen.',
  removal: 'Mitglieder dürfen entfernen',
  removalChoices: {
    anybody: { title: 'Jeden Titel der Warteschlange', text: 'Egal, wer ihn hinzugefügt hat' },
    own: { title: 'Nur eigene Titel', text: 'Du kannst jeden Titel entfernen' },
  },
  waitingTracks: 'Wartende Titel pro Mitglied',
  waitingTracksHint:
    'Wie viele Titel jedes Mitglied in der Warteschlange haben darf. Für dich gilt kein Limit.',
  waitingTracksNone: 'Kein Limit',
  waitingTracksMost: (count) => `Höchstens ${count}`,
  repeat: 'Warteschlange wiederholen',
  repeatHint: 'Was gespielt wurde, kommt ans Ende der Warteschlange.',
  privacy: 'Sichtbarkeit',
  listed: 'Namen allen zeigen',
  listedHint:
    'Sonst steht der Raum in keiner Liste, und sein Link verrät Fremden nur, dass er privat ist. Du findest ihn auf der Startseite, andere über seinen Link.',
  newPassword: 'Neues Passwort',
  newPasswordHint: 'Lass das Feld leer, um das jetzige Passwort zu behalten.',
  newPasswordEnds:
    'Ein neues Passwort beendet alle Einladungslinks. Wer im Raum ist, bleibt; alle anderen werden nach dem neuen gefragt.',
  save: 'Speichern',
  saving: 'Wird gespeichert',
  saved: 'Raumeinstellungen gespeichert',
  saveFailed: 'Die Einstellungen konnten nicht gespeichert werden',
  handOver: 'Raum übergeben',
  handOverText: 'Danach bestimmt der neue Besitzer über den Raum. Du bleibst als Zuhörer.',
  handOverTo: 'Neuer Besitzer',
  handOverNobody: 'Sonst ist niemand mit einem Konto im Raum.',
  handOverConfirm: (name) => named`An ${name} übergeben`,
  handedOver: (name) => named`Der Raum gehört jetzt ${name}`,
  handOverFailed: 'Der Raum konnte nicht übergeben werden',
  handOverTooMany: 'Der neue Besitzer hat zu viele Räume.',
  delete: 'Raum löschen',
  deleteText:
    'Der Raum wird für alle gelöscht, mit Warteschlange und Chat. Das lässt sich nicht rückgängig machen.',
  deleteConfirm: (name) => named`„${name}“ löschen`,
  deleteFailed: 'Der Raum konnte nicht gelöscht werden',
} satisfies Translated<typeof english.roomSettings>

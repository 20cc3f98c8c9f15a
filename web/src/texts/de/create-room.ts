import type * as english from '../create-room.ts'
import type { Translated } from '../translated.ts'

export const createRoom = {
  title: 'Neuen Raum erstellen',
  text: 'Gib ihm einen Namen, teile den Link und hört gemeinsam.',
  name: 'Name des Raums',
  namePlaceholder: 'Mein toller Musikraum',
  privacy: 'Sichtbarkeit',
  public: 'Öffentlich',
  publicText: 'Alle können beitreten',
  private: 'Privat',
  privateText: 'Durch ein Passwort geschützt',
  password: 'Passwort des Raums',
  passwordHint: 'Gib dieses Passwort an die Leute weiter, die du einladen möchtest',
  showPassword: 'Passwort anzeigen',
  hidePassword: 'Passwort verbergen',
  source: 'Bevorzugte Musikquelle',
  sourceHint: 'Du kannst weiterhin alle Quellen nutzen, dies ist nur die Vorauswahl',
  submit: 'Raum erstellen',
  submitting: 'Raum wird erstellt',
  note: 'Wer einen Raum erstellt, ist für die dort geteilten Inhalte verantwortlich.',
  nameRequiredTitle: 'Name fehlt',
  nameRequiredText: 'Bitte gib einen Namen für deinen Raum ein',
  passwordRequiredTitle: 'Passwort fehlt',
  passwordRequiredText: 'Private Räume brauchen ein Passwort',
  failedTitle: 'Fehler',
  failedText: 'Der Raum konnte nicht erstellt werden. Bitte versuche es noch einmal.',
} satisfies Translated<typeof english.createRoom>

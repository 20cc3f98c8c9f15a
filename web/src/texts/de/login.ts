import { limits } from '@earshot/core/limits'
import type * as english from '../login.ts'
import type { Translated } from '../translated.ts'
import { sourceNames } from './common.ts'
import { named } from '../grammar/named.ts'

export const login = {
  title: 'Anmelden',
  heroTitle: 'Musik ist zusammen schöner',
  heroText: 'Verbinde deine eigenen Musikdienste oder beginne mit der Musik auf diesem Server.',
  connect: { spotify: 'Spotify verbinden', youtube: 'YouTube verbinden' },
  cardTitle: 'Mach mit!',
  cardText: 'Mit einem Konto erstellst du Räume und behältst deinen Namen.',
  signIn: 'Anmelden',
  signUp: 'Registrieren',
  signingIn: 'Anmeldung läuft',
  signingUp: 'Registrierung läuft',
  email: 'E-Mail',
  password: 'Passwort',
  passwordHint: `Mindestens ${limits.passwordMinLength} Zeichen`,
  showPassword: 'Passwort anzeigen',
  hidePassword: 'Passwort verbergen',
  or: 'oder',
  google: 'Google',
  googleNotice: 'Diese Funktion gibt es noch nicht',
  signInFailed: 'Anmelden fehlgeschlagen',
  signUpFailed: 'Registrieren fehlgeschlagen',
  loginFailedTitle: 'Anmeldung fehlgeschlagen',
  loginFailedText: 'Bei der Anmeldung ist ein Fehler aufgetreten',
  hasPassword: 'Für diese Adresse gibt es hier schon ein Passwort: Melde dich damit an.',
  signInFirst:
    'Melde dich bei dem Konto an, dessen E-Mail-Adresse du änderst, und öffne den Link in der E-Mail dann noch einmal.',
  registrationFailedTitle: 'Registrierung fehlgeschlagen',
  registrationFailedText: 'Bei der Registrierung ist ein Fehler aufgetreten',
  registrationSuccess: 'Du bist registriert',
  registrationSuccessText:
    'Bitte bestätige dein Konto über den Link in der E-Mail, die wir dir geschickt haben',
  notConfirmed:
    'Deine E-Mail-Adresse ist noch nicht bestätigt. Öffne den Link in unserer letzten Mail. Wir schicken höchstens fünf in der Stunde, und jeder Link gilt eine Stunde.',
  confirmed: 'Dein Konto ist bestätigt',
  confirmedText: 'Du kannst dich jetzt anmelden.',
  confirmedOther: (name) =>
    named`In diesem Browser bist du als ${name} angemeldet. Um das bestätigte Konto zu benutzen, melde dich erst ab.`,
  confirmFailed: 'Dieser Link gilt nicht mehr',
  confirmFailedText:
    'Er ist abgelaufen oder beschädigt. Melde dich an: Ist deine E-Mail-Adresse noch nicht bestätigt, schicken wir einen neuen Link.',
} satisfies Translated<typeof english.login>

export const signUpRule = {
  closed: 'Dieser Server nimmt keine neuen Konten an.',
  byInvitation: 'Registrieren kannst du dich nur mit Einladung. Öffne den Link, den du bekommen hast.',
  invited: 'Du bist auf diesen Server eingeladen. Erstelle dein Konto.',
  ended: 'Diese Einladung ist aufgebraucht oder abgelaufen. Bitte um eine neue.',
} satisfies Translated<typeof english.signUpRule>

export const connecting = {
  signedOut: (source) => `Du musst angemeldet sein, um ${sourceNames[source]} zu verbinden`,
  failed: {
    spotify: 'Spotify konnte nicht verbunden werden',
    youtube: 'YouTube Music konnte nicht verbunden werden',
  },
  unknownError: 'Ein unbekannter Fehler ist aufgetreten',
  spotifyConnected: 'Spotify verbunden',
  youtubeConnected: 'YouTube Music verbunden',
  youtubeConnectedText: 'Die Verbindung zur YouTube Data API steht',
} satisfies Translated<typeof english.connecting>

export const signUpName = {
  label: 'Name',
  placeholder: 'Der Name, den andere sehen',
  hint: 'Freiwillig. Ohne Namen sehen andere den Teil deiner E-Mail-Adresse vor dem @.',
  guestHint: 'Freiwillig. Ohne Namen behältst du den, den du als Gast hast.',
} satisfies Translated<typeof english.signUpName>

export const resetPassword = {
  forgot: 'Passwort vergessen?',
  title: 'Neues Passwort festlegen',
  requestText:
    'Gib die E-Mail-Adresse deines Kontos ein. Wir schicken dir einen Link, mit dem du ein neues Passwort festlegst.',
  send: 'Link senden',
  sending: 'Wird gesendet',
  sent: 'Falls es ein Konto mit dieser Adresse gibt, haben wir einen Link geschickt.',
  sentText: 'Der Link gilt eine Stunde. Kommt keine E-Mail an, sieh im Spam-Ordner nach.',
  sentWithoutMail: 'Dieser Server verschickt keine E-Mails: Bitte den Betreiber um den Link.',
  sendFailed: 'Der Link konnte nicht gesendet werden. Versuche es gleich noch einmal.',
  text: 'Wähle ein neues Passwort für dein Konto. Du wirst überall abgemeldet.',
  newPassword: 'Neues Passwort',
  save: 'Passwort festlegen',
  saving: 'Wird gespeichert',
  saved: 'Dein Passwort wurde geändert',
  savedText: 'Melde dich mit deinem neuen Passwort an.',
  saveFailed: 'Das Passwort konnte nicht geändert werden. Versuche es gleich noch einmal.',
  unusable: 'Dieser Link ist abgelaufen oder wurde schon benutzt.',
  unusableText: 'Wir können dir einen neuen schicken.',
  backToSignIn: 'Zurück zur Anmeldung',
} satisfies Translated<typeof english.resetPassword>

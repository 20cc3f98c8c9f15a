import { limits } from '@earshot/core/limits'
import { validationMessages } from '@earshot/core/protocol/validation-messages'
import { pairTexts } from '../translated.ts'
import { errorTexts } from './errors.ts'

const byCode: Readonly<Record<string, string>> = {
  ...errorTexts,
  INVALID_EMAIL_OR_PASSWORD: 'E-Mail-Adresse oder Passwort ist falsch',
  INVALID_PASSWORD: 'Das Passwort ist falsch',
  INVALID_EMAIL: 'Die E-Mail-Adresse ist ungültig',
  EMAIL_NOT_VERIFIED: 'Bitte bestätige zuerst deine E-Mail-Adresse',
  USER_ALREADY_EXISTS: 'Es gibt schon ein Konto mit dieser E-Mail-Adresse',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'Es gibt schon ein Konto mit dieser E-Mail-Adresse',
  PASSWORD_TOO_SHORT: 'Das Passwort ist zu kurz',
  PASSWORD_TOO_LONG: 'Das Passwort ist zu lang',
}

const validation = {
  emailRequired: 'Die E-Mail-Adresse fehlt',
  emailInvalid: 'Die E-Mail-Adresse ist ungültig',
  emailTaken: 'Ein anderes Konto hat diese E-Mail-Adresse',
  passwordRequired: 'Das Passwort fehlt',
  currentPasswordRequired: 'Das aktuelle Passwort fehlt',
  emailAndPasswordRequired: 'E-Mail-Adresse und Passwort sind nötig',
  passwordTooShort: `Das Passwort braucht mindestens ${limits.passwordMinLength} Zeichen`,
  passwordTooLong: `Das Passwort hat höchstens ${limits.accountPasswordMaxLength} Zeichen`,
  roomNameRequired: 'Der Name des Raums fehlt',
  roomPasswordRequired: 'Das Passwort fehlt',
  roomNameTooLong: `Ein Raumname hat höchstens ${limits.roomNameMaxLength} Zeichen`,
  nameRequired: 'Der Name fehlt',
  nameMixesAlphabets: 'Verwende in jedem Wort eines Namens nur ein Alphabet',
  messageEmpty: 'Leere Nachricht',
  messageTooLong: `Eine Nachricht hat höchstens ${limits.messageMaxLength} Zeichen`,
  ownAccountDisabled: 'Du kannst dein eigenes Konto nicht deaktivieren',
} satisfies Record<keyof typeof validationMessages, string>

const byMessage: ReadonlyMap<string, string> = new Map(pairTexts(validationMessages, validation))

export const serverMessage = (message: string, code?: string | null): string | null =>
  byMessage.get(message) ?? byCode[code ?? ''] ?? null

import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import { chooseLanguage, languages, type Language } from '@earshot/core/protocol/languages'
import type { Logger } from 'pino'
import type { Db } from '../db/database.ts'
import type { Mail, Mailer } from '../mail/mailer.ts'
import { writeMail } from '../texts/mails.ts'
import { countResetTokens } from './reset-tokens.ts'
import { authPath } from './session.ts'

/** The mails that the sign-in library asks for. */

export interface AuthMailParts {
  db: Db
  clock: Clock
  logger: Logger
  mailer: Mailer
  /** The server's address for browsers. */
  publicUrl: string
}

/** A failure is only logged: the account exists, and signing in sends another mail where one is required. */
export async function sendConfirmation(
  parts: AuthMailParts,
  { to, link, isChange }: { to: string; link: string; isChange: boolean },
  language: Language,
): Promise<void> {
  const failure = isChange
    ? 'Could not send the mail that confirms a new address; the account keeps the old one'
    : 'Could not send the confirmation mail; the account was created without it'
  const kind = isChange ? 'emailChange' : 'confirmation'
  await send(parts, writeMail(kind, { from: senderOf(parts), to, link, language }), failure)
}

export function isChangeOfEmail(request: Request | undefined): boolean {
  return request !== undefined && new URL(request.url).pathname === `${authPath}/change-email`
}

/** Returns the language in which the sender of a request reads mails. */
export function languageOfMail(request: Request | undefined): Language {
  if (!request) return languages[0]
  const { headers } = request
  return chooseLanguage(headers.get('cookie') ?? undefined, headers.get('accept-language') ?? undefined)
}

/** In the fragment, the token reaches no server log. */
export function resetLink(publicUrl: string, token: string): string {
  return new URL(`/reset-password#${token}`, publicUrl).href
}

/** Sends the link to the page that sets the password. In its fragment, the token reaches no server log. */
export async function sendPasswordReset(
  parts: AuthMailParts,
  { id, email }: { id: string; email: string },
  token: string,
  language: Language,
): Promise<void> {
  const { db, clock, logger, publicUrl } = parts
  if ((await countResetTokens(db, id, clock.now())) > limits.resetMailsPerHour) {
    return logger.warn({ userId: id }, 'Too many mails for a new password within an hour; none was sent')
  }
  const link = resetLink(publicUrl, token)
  const mail = writeMail('passwordReset', { from: senderOf(parts), to: email, link, language })
  await send(parts, mail, 'Could not send the mail for a new password; the user may ask again')
}

function senderOf({ publicUrl }: AuthMailParts): string {
  return `Earshot <no-reply@${new URL(publicUrl).hostname}>`
}

async function send({ mailer, logger }: AuthMailParts, mail: Mail, failure: string): Promise<void> {
  try {
    await mailer.send(mail)
  } catch (error) {
    logger.error({ err: error }, failure)
  }
}

import { AppError } from '@earshot/core/protocol/errors'
import { chooseLanguage, languages, type Language } from '@earshot/core/protocol/languages'
import type { Logger } from 'pino'
import type { TakeMailPoint } from '../limits/mail-rate-limit.ts'
import type { Mail, Mailer } from '../mail/mailer.ts'
import { type MailKind, writeMail } from '../texts/mails.ts'
import { authPath } from './session.ts'

/** The mails that the sign-in library asks for. */

export interface AuthMailParts {
  logger: Logger
  mailer: Mailer
  /** The server's address for browsers. */
  publicUrl: string
  /** Counts a mail against the limits of its account and recipient. */
  takeMailPoint: TakeMailPoint
}

/** A failure is only logged: the account exists, and signing in sends another mail where one is required. */
export async function sendConfirmation(
  parts: AuthMailParts,
  { userId, to, link, isChange }: { userId: string; to: string; link: string; isChange: boolean },
  language: Language,
): Promise<void> {
  const failure = isChange
    ? 'Could not send the mail that confirms a new address; the account keeps the old one'
    : 'Could not send the confirmation mail; the account was created without it'
  const kind = isChange ? 'emailChange' : 'confirmation'
  if (!(await isWithinLimit(parts, kind, { userId, to }))) return
  const leading = isChange ? link : withOutcomePage(link)
  await send(parts, writeMail(kind, { from: senderOf(parts), to, link: leading, language }), failure)
}

/** Where the link that confirms an account leads. */
export const confirmedPage = '/login?confirmed=1'

/** The library leads to Home by itself, which says nothing of what came of the link. */
function withOutcomePage(link: string): string {
  const url = new URL(link)
  if (url.searchParams.get('callbackURL') === '/') url.searchParams.set('callbackURL', confirmedPage)
  return url.href
}

/** Tells the former address of an account. The change stays where the mail fails. */
export async function sendEmailChanged(parts: AuthMailParts, to: string, language: Language): Promise<void> {
  const mail = writeMail('emailChanged', { from: senderOf(parts), to, link: parts.publicUrl, language })
  await send(parts, mail, 'Could not tell the former address of an account that its email was changed')
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
  if (!(await isWithinLimit(parts, 'passwordReset', { userId: id, to: email }))) return
  const link = resetLink(parts.publicUrl, token)
  const mail = writeMail('passwordReset', { from: senderOf(parts), to: email, link, language })
  await send(parts, mail, 'Could not send the mail for a new password; the user may ask again')
}

/** Tells the owner of an address that somebody signed up with it again: the page says the same in either case. */
export async function sendExistingAccount(
  parts: AuthMailParts,
  { id, email }: { id: string; email: string },
  language: Language,
): Promise<void> {
  if (!(await isWithinLimit(parts, 'existingAccount', { userId: id, to: email }))) return
  const link = new URL('/login', parts.publicUrl).href
  const mail = writeMail('existingAccount', { from: senderOf(parts), to: email, link, language })
  await send(parts, mail, 'Could not send the mail about an existing account; its owner was not told')
}

function senderOf({ publicUrl }: AuthMailParts): string {
  return `Earshot <no-reply@${new URL(publicUrl).hostname}>`
}

/** The answer stays the same, so that nobody learns from it who has an account. */
async function isWithinLimit(
  { takeMailPoint, logger }: AuthMailParts,
  kind: MailKind,
  about: { userId: string; to: string },
): Promise<boolean> {
  try {
    await takeMailPoint(kind, about)
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    logger.warn({ userId: about.userId, kind }, 'Too many mails of one kind within an hour; none was sent')
    return false
  }
}

async function send({ mailer, logger }: AuthMailParts, mail: Mail, failure: string): Promise<void> {
  try {
    await mailer.send(mail)
  } catch (error) {
    logger.error({ err: error }, failure)
  }
}

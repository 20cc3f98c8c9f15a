import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { newSortableId } from '../ids.ts'

export interface Mail {
  from: string
  to: string
  subject: string
  text: string
}

export interface Mailer {
  /** Rejects if the mail server does not accept the mail. */
  send(mail: Mail): Promise<void>
}

interface MailerOptions {
  /** Null to write mails to the outbox folder. */
  smtpUrl: string | null
  /** The sender, where a mail server admits no other; null for that of each mail. */
  mailFrom: string | null
  dataDir: string
  logger: Logger
}

/** Sends mails over SMTP. Without a server, writes each to `outbox` in the data folder and logs its path. */
export function createMailer({ smtpUrl, mailFrom, dataDir, logger }: MailerOptions): Mailer {
  const mailer = smtpUrl === null ? createOutbox(join(dataDir, 'outbox'), logger) : createSmtp(smtpUrl)
  if (mailFrom === null) return mailer
  return { send: (mail) => mailer.send({ ...mail, from: mailFrom }) }
}

const checkTimeoutMs = 10_000

/** Signs in to the mail server once, without a mail. Never rejects: all but mails works without it. */
export async function checkMailServer({
  smtpUrl,
  logger,
}: Pick<MailerOptions, 'smtpUrl' | 'logger'>): Promise<void> {
  if (smtpUrl === null) return
  const timeouts = {
    connectionTimeout: checkTimeoutMs,
    greetingTimeout: checkTimeoutMs,
    socketTimeout: checkTimeoutMs,
  }
  try {
    const { createTransport } = await import('nodemailer')
    await createTransport({ url: smtpUrl, ...timeouts }).verify()
  } catch (error) {
    logger.warn(
      { err: error },
      'SMTP_URL: the mail server cannot be used. Mails will not arrive until it can',
    )
  }
}

function createSmtp(smtpUrl: string): Mailer {
  return {
    async send(mail) {
      const { createTransport } = await import('nodemailer')
      await createTransport(smtpUrl).sendMail(mail)
    },
  }
}

function createOutbox(folder: string, logger: Logger): Mailer {
  return {
    async send(mail) {
      const { createTransport } = await import('nodemailer')
      const composed = await createTransport({ streamTransport: true, buffer: true }).sendMail(mail)
      const path = join(folder, `${newSortableId(Date.now())}.eml`)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(path, composed.message, { mode: 0o600 })
      logger.info({ path, subject: mail.subject }, 'SMTP_URL is not set; mail written to the outbox folder')
    },
  }
}

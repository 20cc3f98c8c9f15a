import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { newSortableId } from '../ids.ts'

export interface Mail {
  to: string
  subject: string
  text: string
}

export interface Mailer {
  /** Rejects where the mail server does not take it. */
  send(mail: Mail): Promise<void>
}

export interface MailerOptions {
  /** Null to keep mails in the outbox folder. */
  smtpUrl: string | null
  dataDir: string
  /** The address that mails come from. */
  from: string
  logger: Logger
}

/** Sends mails through the configured server; without one, puts them into `outbox` in the data folder and says so. */
export function createMailer({ smtpUrl, dataDir, from, logger }: MailerOptions): Mailer {
  return smtpUrl === null ? createOutbox(join(dataDir, 'outbox'), from, logger) : createSmtp(smtpUrl, from)
}

function createSmtp(smtpUrl: string, from: string): Mailer {
  return {
    async send(mail) {
      const { createTransport } = await import('nodemailer')
      await createTransport(smtpUrl).sendMail({ from, ...mail })
    },
  }
}

function createOutbox(folder: string, from: string, logger: Logger): Mailer {
  return {
    async send(mail) {
      const { createTransport } = await import('nodemailer')
      const composed = await createTransport({ streamTransport: true, buffer: true }).sendMail({
        from,
        ...mail,
      })
      const path = join(folder, `${newSortableId(Date.now())}.eml`)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(path, composed.message, { mode: 0o600 })
      logger.info({ path, subject: mail.subject }, 'A mail was put into the outbox: SMTP_URL is not set')
    },
  }
}

import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { captureLog } from '../../test/log.ts'
import { startMailServer } from '../../test/mail-server.ts'
import { checkMailServer } from './mailer.ts'

/** A mail server that refuses every sign-in. */
async function openStrictServer(): Promise<string> {
  const server = createServer((socket) => {
    socket.write('220 mail.test\r\n')
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      const line = chunk.toString()
      if (/^EHLO/i.test(line)) socket.write('250-mail.test\r\n250 AUTH PLAIN\r\n')
      else socket.write(/^AUTH/i.test(line) ? '535 wrong password\r\n' : '250 ok\r\n')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It does not listen')
  return `127.0.0.1:${address.port}`
}

it('16.226 a mail server that refuses the password is named in the log at the start', async () => {
  const { logger, lines } = captureLog()
  await checkMailServer({ smtpUrl: `smtp://ann:pass%2Fword@${await openStrictServer()}`, logger })
  expect(lines).toEqual([expect.objectContaining({ level: 40, msg: expect.stringMatching(/^SMTP_URL: /) })])
  expect(JSON.stringify(lines)).toContain('535 wrong password')
  expect(JSON.stringify(lines)).not.toMatch(/pass\/word|pass%2Fword|AGFubg/)
})

it('16.226 a mail server that takes mails gets none at the start, and none is needed', async () => {
  const { logger, lines } = captureLog()
  const { url, mails } = await startMailServer()
  await checkMailServer({ smtpUrl: url, logger })
  await checkMailServer({ smtpUrl: null, logger })
  expect({ lines, mails }).toEqual({ lines: [], mails: [] })
})

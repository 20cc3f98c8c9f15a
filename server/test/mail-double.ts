import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

export interface MailDouble {
  url: string
  /** The delivered mails, whole. */
  mails: string[]
  close(): void
}

/** A mail server as far as RFC 5321 asks for delivering a mail: it takes everything and keeps it. */
export async function openMailDouble(): Promise<MailDouble> {
  const mails: string[] = []
  const server = createServer((socket) => serve(socket, mails)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The mail server does not listen')
  return { url: `smtp://127.0.0.1:${address.port}`, mails, close: () => void server.close() }
}

/** Extracts the link from a mail, decoding quoted-printable. */
export function linkIn(mail = ''): string {
  const text = mail
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_all, code: string) => String.fromCharCode(parseInt(code, 16)))
  const link = /http:\S+/.exec(text)?.[0]
  if (link === undefined) throw new Error(`No link in: ${text}`)
  return link
}

function serve(socket: Socket, mails: string[]): void {
  let pending = ''
  let mail: string[] | null = null
  socket.write('220 mail.test\r\n')
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    const lines = (pending + chunk.toString()).split('\r\n')
    pending = lines.pop() ?? ''
    for (const line of lines) {
      if (mail && line === '.') {
        mails.push(mail.join('\n'))
        mail = null
        socket.write('250 taken\r\n')
      } else if (mail) {
        mail.push(line.replace(/^\./, ''))
      } else if (/^data$/i.test(line)) {
        mail = []
        socket.write('354 go on\r\n')
      } else if (/^quit$/i.test(line)) {
        socket.end('221 bye\r\n')
      } else {
        socket.write('250 ok\r\n')
      }
    }
  })
}

/**
 * The baseline: the least a server can do with the `ws` package. It sends each frame to every connection, one after
 * the other, without rooms, sessions, permissions or rules.
 */
import { appendFileSync, fdatasyncSync, openSync } from 'node:fs'
import { once } from 'node:events'
import { type WebSocket, WebSocketServer } from 'ws'
import type { BaselineSettings } from './baseline-server.ts'

let settings: BaselineSettings = { frames: [], answerBytes: 0, journal: null }
let journal: number | null = null
let answer = ''

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })

process.on('message', (given: BaselineSettings) => {
  settings = given
  journal = given.journal === null ? null : openSync(given.journal, 'a')
  answer = 'j'.repeat(given.answerBytes)
  process.send?.({ applied: true })
})
process.on('disconnect', () => process.exit(0))

server.on('connection', (socket) => {
  socket.on('message', (data: Buffer) => {
    const message = data.toString('utf8')
    if (message === 'join') socket.send(answer)
    else broadcast(message, socket)
  })
})

/** Appends the message to the journal, if any, sends the frames to all clients and answers the sender. */
function broadcast(sequenceNumber: string, sender: WebSocket): void {
  if (journal !== null) {
    appendFileSync(journal, `${sequenceNumber}\n`)
    fdatasyncSync(journal)
  }
  for (const frame of settings.frames) {
    const text = frame.replace(/"sequence_number":\d+/, `"sequence_number":${sequenceNumber}`)
    for (const client of server.clients) client.send(text)
  }
  sender.send(`a${sequenceNumber}`)
}

await once(server, 'listening')
const address = server.address()
if (address === null || typeof address === 'string') throw new Error('The baseline has no port')
process.send?.({ port: address.port })

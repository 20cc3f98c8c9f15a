/**
 * The baseline: the least a server can do with the `ws` package. It sends each frame to every connection of the same
 * path, one after the other, without sessions, permissions or rules.
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

/** The connections of each path. */
const audiences = new Map<string, Set<WebSocket>>()

server.on('connection', (socket, { url = '/' }) => {
  const audience = audiences.get(url) ?? new Set()
  audiences.set(url, audience.add(socket))
  socket.on('close', () => audience.delete(socket))
  socket.on('message', (data: Buffer) => {
    const message = data.toString('utf8')
    if (message === 'join') socket.send(answer)
    else broadcast(message, socket, audience)
  })
})

/** Appends the message to the journal, if any, sends the frames to the audience and answers the sender. */
function broadcast(sequenceNumber: string, sender: WebSocket, audience: ReadonlySet<WebSocket>): void {
  if (journal !== null) {
    appendFileSync(journal, `${sequenceNumber}\n`)
    fdatasyncSync(journal)
  }
  for (const frame of settings.frames) {
    const text = frame.replace(/"sequence_number":\d+/, `"sequence_number":${sequenceNumber}`)
    for (const client of audience) client.send(text)
  }
  sender.send(`a${sequenceNumber}`)
}

await once(server, 'listening')
const address = server.address()
if (address === null || typeof address === 'string') throw new Error('The baseline has no port')
process.send?.({ port: address.port })

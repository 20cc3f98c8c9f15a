import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ask } from '../../test/ask.ts'
import { startApp } from '../../test/apps.ts'
import { captureLog } from '../../test/log.ts'
import { answerInTurn } from './client-limits.ts'

async function open(address: string): Promise<Socket> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`

it('15.90 requests that arrive together are handled one at a time and answered in order', async () => {
  let [underWay, most, thisTurn, mostInTurn] = [0, 0, 0, 0]
  const server = createServer(async (request, response) => {
    most = Math.max(most, (underWay += 1))
    mostInTurn = Math.max(mostInTurn, (thisTurn += 1))
    setImmediate(() => (thisTurn = 0))
    const body: Buffer[] = []
    for await (const chunk of request) body.push(chunk as Buffer)
    underWay -= 1
    response.end(`<${request.url}${Buffer.concat(body).toString()}>`)
  })
  const refused = vi.fn<() => void>()
  answerInTurn(server, refused)
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const socket = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  let read = ''
  socket.on('data', (chunk: Buffer) => (read += chunk.toString()))

  const paths = Array.from({ length: 99 }, (_, index) => `/${index}`)
  const post = 'POST /last HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\n'
  socket.write(`${paths.map(get).join('')}${post}bo`)
  await vi.waitFor(() => expect(read).toContain('</98>'))
  socket.write(`dy${get('/after')}`)
  await vi.waitFor(() => expect(read).toContain('</after>'))
  const answered = [...read.matchAll(/<(.*?)>/g)].map(([, path]) => path)
  expect(answered).toEqual([...paths, '/lastbody', '/after'])
  expect({ most, mostInTurn, refused: refused.mock.calls }).toEqual({ most: 1, mostInTurn: 1, refused: [] })
})

it.each(['/livez', '/', '/socket.io/?EIO=4&transport=polling'])(
  '15.91 a connection with over 100 unanswered requests is cut off (%s)',
  async (path) => {
    const { logger, lines } = captureLog('info')
    const app = await startApp({ logger })
    const socket = await open(app.address)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => undefined)
    socket.write(get(path).repeat(102))
    await closed
    expect((await ask(`${app.address}/livez`)).status).toBe(200)
    const cutOffs = lines.filter(({ security }) => security === 'cut_off')
    expect(cutOffs).toMatchObject([{ address: '127.0.0.1', at: 'http' }])
  },
)

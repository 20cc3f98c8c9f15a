/**
 * The baseline: the least a server of Node can do. It pipes the asked range of a file, without sessions or headers of
 * ours.
 */
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'

const [, , path = ''] = process.argv
const { size } = statSync(path)

const server = createServer((request, response) => {
  const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  const start = Number(first)
  const end = Math.min(size, last === '' ? size : Number(last) + 1) - 1
  response.writeHead(206, {
    'content-type': 'audio/mp4',
    'content-length': end - start + 1,
    'content-range': `bytes ${start}-${end}/${size}`,
  })
  createReadStream(path, { start, end }).pipe(response)
})

process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
if (address === null || typeof address === 'string') throw new Error('The baseline has no port')
process.send?.({ port: address.port })

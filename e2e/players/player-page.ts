import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { build } from 'vite'
import { makeNoiseWav } from '../sound/recording/noise-tracks.ts'

/** A page with the real players and nothing else, and the files that they play. */
export interface PlayerSite {
  url: string
  /** Puts a file in the place of `changing.wav`; null deletes it. */
  replaceChanging(body: Buffer | null): void
  stop(): Promise<void>
}

/** The length of `noise.wav`. */
export const noiseSeconds = 8
const entry = join(import.meta.dirname, '../../web/src/players/testing/player-page.ts')

interface ServedFile {
  type: string
  body: Buffer
}

/** Bundles the players and serves them. */
export async function startPlayerSite(): Promise<PlayerSite> {
  const files: Record<string, ServedFile> = {
    '/': {
      type: 'text/html',
      body: Buffer.from('<button>Unlock</button><script type="module" src="/players.js"></script>'),
    },
    '/players.js': { type: 'text/javascript', body: Buffer.from(await bundlePlayers()) },
    '/noise.wav': {
      type: 'audio/wav',
      body: makeNoiseWav({ seconds: noiseSeconds, title: 'Noise', seed: 1 }),
    },
    '/text.wav': { type: 'audio/wav', body: Buffer.from('This is not music.') },
    '/damaged.opus': { type: 'audio/ogg', body: makeDamagedOpus() },
  }
  const server = createServer((request, response) => {
    const file = files[new URL(request.url ?? '/', 'http://localhost').pathname]
    if (file) sendFile(request, response, file)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://localhost:${port}/`,
    replaceChanging(body) {
      delete files['/changing.wav']
      if (body) files['/changing.wav'] = { type: 'audio/wav', body }
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A file whose format is stated as it should be, and whose packets no decoder accepts. */
function makeDamagedOpus(): Buffer {
  const file = readFileSync(join(import.meta.dirname, '../../server/test/audio/two-seconds/noise.opus'))
  let [page, index] = [0, 0]
  while (page < file.length) {
    const segments = file.readUInt8(page + 26)
    const from = page + 27 + segments
    const to = from + file.subarray(page + 27, from).reduce((sum, length) => sum + length, 0)
    // The first two pages are the head and the tags.
    if (index++ >= 2) file.fill(0xff, from, to)
    page = to
  }
  return file
}

/** Bundles the page of `web/src/players/testing/player-page.ts`. */
export async function bundlePlayers(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      minify: false,
      lib: { entry, formats: ['es'] },
      target: 'es2022',
      // With what the page loads on demand.
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  const [output] = Array.isArray(result) ? result : [result]
  const chunk = output && 'output' in output ? output.output[0] : undefined
  if (chunk?.type !== 'chunk') throw new Error('The players were not bundled')
  return chunk.code
}

function sendFile(request: IncomingMessage, response: ServerResponse, { type, body }: ServedFile): void {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  if (from === undefined) {
    response
      .writeHead(200, { 'content-type': type, 'content-length': body.length, 'accept-ranges': 'bytes' })
      .end(body)
    return
  }
  const last = Math.min(to ? Number(to) : Infinity, body.length - 1)
  const part = body.subarray(Number(from), last + 1)
  response
    .writeHead(206, {
      'content-type': type,
      'content-length': part.length,
      'content-range': `bytes ${from}-${last}/${body.length}`,
      'accept-ranges': 'bytes',
      etag: etagOf(body),
    })
    .end(part)
}

const etags = new WeakMap<Buffer, string>()

/** Returns a tag for each body. */
function etagOf(body: Buffer): string {
  const etag = etags.get(body) ?? `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`
  etags.set(body, etag)
  return etag
}

import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { monotonicMs } from '../load/monotonic.ts'

/** A file that listeners play: its size and how fast it is played. */
export interface PlayedFile {
  url: string
  bytes: number
  bytesPerSecond: number
}

/** How much sound a page asks for at once (web/src/players/library/decoding/read-pace.ts), s. */
export const requestS = { onFastLine: 2, onSlowLine: 0.5 }

/**
 * The pattern of the page's reader (web/src/players/library/decoding/range-file.ts), once it reads at the speed of
 * playing.
 */
const blockBytes = 16 * 1024
const maxRequestBytes = 256 * 1024

/** Listeners who read a file in ranges at the speed of playing. */
export interface Listeners {
  /** How many ranges they read in a second when none is late. */
  perSecond: number
  /** How many ranges they have read. */
  count(): number
  /** Stops them. Resolves to the ms that each range took. */
  stop(): Promise<number[]>
}

/** Starts a listener for each cookie, each at another position of the file and at another instant. */
export function startListeners(file: PlayedFile, cookies: readonly string[], requestedS: number): Listeners {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
  const tookMs: number[] = []
  let isOn = true
  const wantedBytes = Math.min(maxRequestBytes, Math.max(blockBytes, requestedS * file.bytesPerSecond))
  const rangeBytes = Math.ceil(wantedBytes / blockBytes) * blockBytes
  const everyMs = (rangeBytes / file.bytesPerSecond) * 1_000
  const listen = async (cookie: string, index: number): Promise<void> => {
    const share = index / cookies.length
    await delay(share * everyMs)
    const blocks = Math.floor(file.bytes / rangeBytes)
    let block = Math.floor(share * blocks)
    for (let nextMs = monotonicMs(); isOn; nextMs += everyMs) {
      const start = (block % blocks) * rangeBytes
      const sentMs = monotonicMs()
      await readRange({ agent, cookie, url: file.url, start, end: start + rangeBytes })
      tookMs.push(monotonicMs() - sentMs)
      block += 1
      await delay(Math.max(0, nextMs + everyMs - monotonicMs()))
    }
  }
  const listening = Promise.all(cookies.map(listen))
  listening.catch(() => undefined) // Reported by stop
  return {
    perSecond: (1_000 / everyMs) * cookies.length,
    count: () => tookMs.length,
    async stop() {
      isOn = false
      await listening
      agent.destroy()
      return tookMs
    },
  }
}

interface Range {
  agent: Agent
  cookie: string
  url: string
  start: number
  end: number
}

/** Reads a range. Rejects for any answer but the whole range. */
function readRange({ agent, cookie, url, start, end }: Range): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { range: `bytes=${start}-${end - 1}`, cookie }
    const sent = request(url, { agent, headers }, (response) => {
      let received = 0
      response.on('data', (chunk: Buffer) => (received += chunk.length))
      response.on('error', reject)
      response.on('end', () => {
        const isWhole = response.statusCode === 206 && received === end - start
        if (isWhole) resolve()
        else reject(new Error(`${url}: ${response.statusCode}, ${received} of ${end - start} bytes`))
      })
    })
    // The server may close a connection just as it is used again; browsers ask again as well.
    sent.on('error', (error) => {
      if (sent.reusedSocket) readRange({ agent, cookie, url, start, end }).then(resolve, reject)
      else reject(error)
    })
    sent.end()
  })
}

/** Returns the size of a file that is served in ranges. */
export async function readSize(url: string, cookie: string): Promise<number> {
  const response = await fetch(url, { headers: { range: 'bytes=0-0', cookie } })
  await response.arrayBuffer()
  const [, size] = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? []
  if (response.status !== 206 || size === undefined) throw new Error(`${url}: ${response.status}`)
  return Number(size)
}

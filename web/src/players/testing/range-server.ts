import { afterEach, beforeEach, vi } from 'vitest'
import { delay } from '../../timing.ts'
import { openRangeFile, type RangeFile } from '../library/decoding/range-file.ts'

export const kB = 1_024
/** A file whose bytes tell where they are. */
export const bytes = Uint8Array.from(
  { length: 40 * kB * kB },
  (_, index) => (index * 7 + (index >> 12)) & 255,
)

interface Request {
  start: number
  end: number
  cache: RequestCache | undefined
  fromMs: number
  untilMs: number
}

/** Serves ranges of `bytes` to `fetch`, while time passes by fake timers. */
interface RangeServer {
  requests: Request[]
  /** How many of `requests` were open at once. */
  most: number
  bytesPerSecond: number
  /** Requests are not answered until their client gives up. */
  isStalled: boolean
  /** From a request to the headers of its answer. */
  latencyMs: number
  tag: string
  /** Instead of the next answers. */
  failures: (number | 'network')[]
}

function startRangeServer(): RangeServer {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const server: RangeServer = {
    requests: [],
    most: 0,
    bytesPerSecond: 1e9,
    isStalled: false,
    latencyMs: 0,
    tag: '"one"',
    failures: [],
  }
  let open = 0
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    const failure = server.failures.shift()
    if (failure === 'network') throw new TypeError('Failed to fetch')
    if (failure !== undefined) return new Response('', { status: failure })
    const range = new Headers(init.headers).get('range') ?? ''
    const [, first = '', last = ''] = /bytes=(\d*)-(\d+)/.exec(range) ?? []
    const start = first === '' ? bytes.length - Number(last) : Number(first)
    const end = first === '' ? bytes.length : Math.min(Number(last) + 1, bytes.length)
    const request = {
      start,
      end,
      cache: init.cache,
      fromMs: performance.now(),
      untilMs: Number.POSITIVE_INFINITY,
    }
    server.requests.push(request)
    if (server.isStalled) await whenAborted(init.signal)
    if (server.latencyMs > 0) await delay(server.latencyMs)
    server.most = Math.max(server.most, (open += 1))
    const headers = { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}`, etag: server.tag }
    const body = new ReadableStream({
      async start(controller) {
        await delay((1_000 * (end - start)) / server.bytesPerSecond)
        open -= 1
        request.untilMs = performance.now()
        controller.enqueue(bytes.slice(start, end))
        controller.close()
      },
    })
    return new Response(body, { status: 206, headers })
  })
  return server
}

/** Rejects with the signal's reason when it aborts. */
function whenAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error))
  })
}

function stopRangeServer(): void {
  vi.useRealTimers()
  vi.unstubAllGlobals()
}

/** The server and the file of the running test. */
interface RangeTest {
  server: RangeServer
  file: RangeFile
}

/** Starts a server and opens a file of it for each test of a suite; call it where the suite is described. */
export function openRangeFileForEach(): RangeTest {
  const current = {} as RangeTest
  beforeEach(() => {
    current.server = startRangeServer()
    current.file = openRangeFile('/api/tracks/t/stream')
  })
  afterEach(() => {
    current.file.close()
    stopRangeServer()
  })
  return current
}

/** Resolves to what the work resolves to, while time passes. */
export async function settle<Result>(work: Promise<Result>): Promise<Result> {
  let isDone = false
  const done = work.finally(() => (isDone = true))
  done.catch(() => undefined)
  while (!isDone) await vi.advanceTimersByTimeAsync(50)
  return done
}

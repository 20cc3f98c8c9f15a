import { subscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into the server before its own code: measures how long each request takes there, from its headers to the end of its
 * answer, and writes it to the file that BENCH_TIMES_FILE names when the process ends.
 */

const path = process.env['BENCH_TIMES_FILE']
const startedMs = new WeakMap<IncomingMessage, number>()
const times: [name: string, ms: number][] = []

if (isMainThread && path !== undefined) {
  subscribe('http.server.request.start', (message) => {
    startedMs.set((message as { request: IncomingMessage }).request, performance.now())
  })
  subscribe('http.server.response.finish', (message) => {
    const { request } = message as { request: IncomingMessage }
    const name = request.headers['x-bench']
    const sinceMs = startedMs.get(request)
    if (typeof name === 'string' && sinceMs !== undefined) times.push([name, performance.now() - sinceMs])
  })
  process.on('exit', () => writeFileSync(path, JSON.stringify(times)))
}

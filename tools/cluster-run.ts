/** `npm run cluster [-- --processes N] [--keep FOLDER]`: starts a cluster on HOST and PORT, and ends it on Ctrl+C. */
import { parseArgs } from 'node:util'
import { startCluster } from './cluster-processes.ts'

const { values } = parseArgs({
  options: { processes: { type: 'string', default: '3' }, keep: { type: 'string' } },
})
const count = Number(values.processes)
if (!Number.isInteger(count) || count < 1 || count > 20) {
  console.error(`--processes takes a whole number from 1 to 20, not ${values.processes}`)
  process.exit(1)
}

const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort())

try {
  const cluster = await startCluster({
    host: process.env['HOST'] || '127.0.0.1',
    port: Number(process.env['PORT'] || 3000),
    processes: count,
    folder: values.keep ?? null,
    signal: ending.signal,
    log: (line) => console.log(line),
  })
  cluster.processes.forEach(({ url, pid }, index) =>
    console.log(`Process ${index + 1} (pid ${pid}) listens at ${url}`),
  )
  console.log(`PostgreSQL: ${cluster.databaseUrl}`)
  console.log(`Redis: ${cluster.redisUrl}`)
  const fate = values.keep === undefined ? 'deleted at the end; --keep FOLDER keeps it' : 'kept'
  console.log(`Data: ${cluster.folder} (${fate})`)
  console.log(`Earshot is ready at ${cluster.url}. Ctrl+C ends all.`)
} catch (error) {
  if (!ending.signal.aborted) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

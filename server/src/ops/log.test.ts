import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { createLogger } from './log.ts'

const script = join(import.meta.dirname, '..', '..', 'test', 'children', 'write-log.ts')

/** Starts a process that logs much. Standard output is a pipe that nobody reads, or the file `output`. */
function startLogging(output: number | 'pipe') {
  const child = spawn(process.execPath, [script], { stdio: ['pipe', output, 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const hasLogged = once(child.stderr!, 'data')
  const finish = async () => {
    child.stdin!.end()
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, said }
  }
  return { child, hasLogged, finish }
}

it('16.151 a process whose log is on a full disk goes on without it', async () => {
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(full))
  const { hasLogged, finish } = startLogging(full)
  await hasLogged
  expect(await finish()).toEqual({ code: 0, said: 'logged' })
})

it('16.151 a process waits for no reader of its log: what had room comes later, in whole lines', async () => {
  const { child, hasLogged, finish } = startLogging('pipe')
  await hasLogged
  let read = ''
  child.stdout!.on('data', (chunk: Buffer) => (read += chunk.toString()))
  const written = await vi.waitFor(
    () => {
      child.stdin!.write('more')
      // Of a megabyte, the description of a failure would take a second.
      expect(read.endsWith('one more"}\n')).toBe(true)
      return read
    },
    { timeout: 60_000, interval: 100 },
  )
  const lines = written.trim().split('\n')
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ msg: expect.any(String) })
  expect(lines.length).toBeGreaterThan(1_000)
  expect(await finish()).toEqual({ code: 0, said: 'logged' })
})

it('16.153 errors of Redis and PostgreSQL are logged without the data that they carry', async () => {
  let log = ''
  const logger = await createLogger('info', { write: (line) => void (log += line) })
  const redis = new Redis(inject('redisUrl'))
  const postgres = new Client(inject('postgresUrl'))
  onTestFinished(async () => void (await Promise.all([redis.quit(), postgres.end()])))
  await postgres.connect()
  await redis.set('log-test', 'ann')
  await postgres.query('create temporary table people (name text primary key)')
  const add = () => postgres.query('insert into people values ($1)', ['ann@example.com'])
  await add()
  for (const fail of [() => redis.hset('log-test', 'ann@example.com', '1'), add])
    await fail().catch((err: unknown) => logger.error({ err }, 'failed'))
  expect(log).toContain('hset')
  expect(log).toContain('duplicate key value')
  expect(log).not.toContain('ann@example.com')
})

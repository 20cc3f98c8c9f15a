import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'

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
      expect(read).toMatch(/one more"}\n$/)
      return read
    },
    { timeout: 60_000, interval: 100 },
  )
  const lines = written.trim().split('\n')
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ msg: expect.any(String) })
  expect(lines.length).toBeGreaterThan(1_000)
  expect(await finish()).toEqual({ code: 0, said: 'logged' })
})

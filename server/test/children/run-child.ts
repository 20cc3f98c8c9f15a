import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface Child {
  process: ChildProcess
  /** Everything it has written so far. */
  output: { stdout: string; stderr: string }
  /** Resolves when it has ended, to its exit code (null where a signal ended it). */
  ended: Promise<number | null>
}

const server = join(import.meta.dirname, '..', '..')

/** Starts a script of the server in a process of its own, with this test's Node; it ends with the test at the latest. */
export function runChild(script: string, args: string[] = [], env: Record<string, string> = {}): Child {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    cwd: server,
    // Only what a shell would give: no setting of the test runner's.
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  const ended = once(child, 'close').then(() => child.exitCode)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { process: child, output, ended }
}

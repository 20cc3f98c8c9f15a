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

const pick = (...names: string[]): Record<string, string | undefined> =>
  Object.fromEntries(names.map((name) => [name, process.env[name]]))

/** Starts a script of the server in a process of its own, with this test's Node; it ends with the test at the latest. */
export function runChild(script: string, args: string[] = [], env: Record<string, string> = {}): Child {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    cwd: server,
    // Only what a shell would give, and where compiled code is kept: no other setting of the test runner's.
    env: { ...pick('PATH', 'HOME', 'NODE_COMPILE_CACHE'), ...env },
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

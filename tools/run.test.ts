import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

/** Imports run.mjs, installs until its standard input ends, then runs the server. */
const start = `
  import { readSync } from 'node:fs'
  import { runInForeground } from '${join(import.meta.dirname, 'run.mjs')}'
  console.log('installing')
  while (readSync(0, Buffer.alloc(1)) > 0);
  runInForeground(['--eval', 'console.log("serving")'])
`

/** Starts the script as npm does, in a shell of its own. */
async function startUnderNpm() {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-run-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = join(folder, 'start.mjs')
  writeFileSync(script, start)
  // The second command keeps the shell from replacing itself with Node.
  const shell = spawn('sh', ['-c', `"${process.execPath}" "${script}"; exit $?`], {
    env: { ...process.env, npm_lifecycle_event: 'start' },
  })
  let output = ''
  const closed = once(shell, 'close')
  shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await once(shell.stdout, 'data')
  return {
    shell,
    finishInstalling: async (): Promise<string> => {
      shell.stdin.end()
      await closed
      return output
    },
  }
}

it('runs a script under npm', async () => {
  const { finishInstalling } = await startUnderNpm()
  expect(await finishInstalling()).toBe('installing\nserving\n')
})

it('starts nothing if npm ended while the packages were installed', async () => {
  const { shell, finishInstalling } = await startUnderNpm()
  shell.kill('SIGKILL')
  await once(shell, 'exit')
  expect(await finishInstalling()).toBe('installing\n')
})

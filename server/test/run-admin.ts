import { runCommand } from '../src/admin/run-command.ts'
import { parseEnv } from '../src/env/env.ts'

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** Runs a command of `npm run admin` as the shell would, in this process: a process of its own takes seconds. */
export async function runAdmin(env: Record<string, string>, ...args: string[]): Promise<Outcome> {
  const lines = { stdout: '', stderr: '' }
  const code = await runCommand(args, {
    readEnv: () => parseEnv(env),
    cwd: '/',
    print: (line) => void (lines.stdout += `${line}\n`),
    printError: (line) => void (lines.stderr += `${line}\n`),
  })
  return { code, ...lines }
}

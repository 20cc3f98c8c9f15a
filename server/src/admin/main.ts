import { readEnv } from '../env/env.ts'
import { runCommand } from './run-command.ts'

// Files that commands write are readable by the owner only.
process.umask(0o077)
process.exitCode = await runCommand(process.argv.slice(2), {
  readEnv,
  // npm changes the working directory.
  cwd: process.env['INIT_CWD'] ?? process.cwd(),
  print: (line) => void process.stdout.write(`${line}\n`),
  printError: (line) => void process.stderr.write(`${line}\n`),
})

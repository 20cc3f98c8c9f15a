import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { systemClock } from '../clock/server-clock.ts'
import { giveToOwner } from '../data-folder.ts'
import type { Env } from '../env/env.ts'
import { accessCommands } from './access-commands.ts'
import { backupCommands } from './backup-commands.ts'
import { type Command, CommandError, parseInput } from './command.ts'
import { roomCommands } from './room-commands.ts'
import { userCommands } from './user-commands.ts'

/** In the data folder. */
const actionsFile = 'admin-actions.jsonl'

const exitCodes = { done: 0, failed: 1, misused: 2 }

/** By name, in the order in which they are listed. */
const commands: ReadonlyMap<string, Command> = new Map(
  Object.entries({ ...accessCommands, ...userCommands, ...roomCommands, ...backupCommands }),
)

/** The environment in which commands run. */
interface Shell {
  readEnv: () => Env
  /** The folder in which the command was typed. */
  cwd: string
  print: (line: string) => void
  printError: (line: string) => void
}

/**
 * Runs a command of `npm run admin`, with the configuration of the server. Resolves to the exit code: 0, 1 where the
 * command failed, 2 where it was not understood.
 */
export async function runCommand([name, ...args]: string[], shell: Shell): Promise<number> {
  if (name === undefined || name === 'help' || name === '--help') {
    shell.print(describeCommands())
    return name === undefined ? exitCodes.misused : exitCodes.done
  }
  const command = commands.get(name)
  if (!command) {
    shell.printError(`There is no command ${JSON.stringify(name)}.\n\n${describeCommands()}`)
    return exitCodes.misused
  }
  try {
    const input = parseInput(command, args)
    const { cwd, print } = shell
    const logger = pino({ level: 'silent' })
    const env = shell.readEnv()
    await command.run({ env, cwd, clock: systemClock, logger, print }, input)
    if (!name.startsWith('list-')) await recordAction(env.dataDir, [name, ...input.positionals], shell)
    return exitCodes.done
  } catch (error) {
    shell.printError(error instanceof Error ? error.message : String(error))
    if (!(error instanceof CommandError && error.isMisuse)) return exitCodes.failed
    shell.printError(`Usage: npm run admin -- ${command.usage}`)
    return exitCodes.misused
  }
}

/**
 * The log of the server is a stream of another process; in its data folder, actions of the shell have a file. Never
 * rejects: the action is done.
 */
async function recordAction(
  dataDir: string,
  [action = '', target]: string[],
  { printError }: Shell,
): Promise<void> {
  const time = new Date().toISOString()
  const details = { address: null, action, ...(target === undefined ? {} : { target }) }
  const line = {
    time,
    security: 'admin_action',
    ...details,
    msg: 'Administrator changed something in a shell',
  }
  const path = join(dataDir, actionsFile)
  try {
    // With PostgreSQL, a machine that runs no server may have none.
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await appendFile(path, `${JSON.stringify(line)}\n`, { mode: 0o600 })
    await giveToOwner(dataDir, [actionsFile])
  } catch (error) {
    printError(`Done, but it could not be noted in ${path}: ${String(error)}`)
  }
}

function describeCommands(): string {
  const lines = [...commands.values()].map(({ usage, summary }) => [usage, summary] as const)
  const width = Math.max(...lines.map(([usage]) => usage.length))
  return [
    'Usage: npm run admin -- COMMAND',
    '',
    ...lines.map(([usage, summary]) => `  ${usage.padEnd(width)}  ${summary}`),
    '',
    'USER is an email address, a user name or an id. The settings are those of the server: DATA_DIR, DATABASE_URL, ...',
  ].join('\n')
}

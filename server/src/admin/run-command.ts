import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@earshot/core/protocol/errors'
import { pino } from 'pino'
import { systemClock } from '../clock.ts'
import { openDatabase, sqliteFileName } from '../db/database.ts'
import { type Env, EnvError } from '../env.ts'
import { CommandError, commands, type Command } from './commands.ts'

const exitCodes = { done: 0, failed: 1, misused: 2 }

/** What surrounds a command. */
export interface Shell {
  readEnv: () => Env
  print: (line: string) => void
  printError: (line: string) => void
}

/**
 * Runs a command of `npm run admin`, on the database of the configuration and also while the server runs. Resolves to
 * the exit code: 0, 1 where the command failed, 2 where it was not understood.
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
    await openAndRun(command, args, shell)
    return exitCodes.done
  } catch (error) {
    shell.printError(describeFailure(error))
    if (!(error instanceof CommandError && error.isMisuse)) return exitCodes.failed
    shell.printError(`Usage: npm run admin -- ${command.usage}`)
    return exitCodes.misused
  }
}

async function openAndRun(command: Command, args: string[], shell: Shell): Promise<void> {
  const input = command.parse(args)
  const env = shell.readEnv()
  // Opening it would make a new one, in a folder that is probably the wrong one.
  if (env.databaseUrl === null && !existsSync(join(env.dataDir, sqliteFileName))) {
    throw new CommandError(
      `DATA_DIR: there is no database in ${env.dataDir}. Is it the folder of the server?`,
    )
  }
  const db = await openDatabase({ ...env })
  try {
    const logger = pino({ level: 'silent' })
    await command.run({ env, db, clock: systemClock, logger, print: shell.print }, input)
  } finally {
    await db.destroy()
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

function describeFailure(error: unknown): string {
  if (error instanceof CommandError || error instanceof EnvError || error instanceof AppError) {
    return error.message
  }
  return error instanceof Error ? error.message : String(error)
}

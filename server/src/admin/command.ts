import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import type { Clock } from '@earshot/core/clock'
import type { Logger } from 'pino'
import { type Db, openDatabase, sqliteFileName } from '../db/database.ts'
import type { Env } from '../env/env.ts'

/** The context of a command. */
export interface CommandContext {
  env: Env
  /** The folder in which the command was typed. */
  cwd: string
  clock: Clock
  logger: Logger
  print: (line: string) => void
}

/** The context of a command that reads or changes the database. */
interface DatabaseContext extends CommandContext {
  db: Db
}

/** The arguments of a command. */
interface Input {
  positionals: string[]
  values: Record<string, string | boolean | undefined>
}

/** A command of `npm run admin`. */
export interface Command {
  usage: string
  summary: string
  /** How many arguments without a name it takes: at least, and at most. */
  takes: [number, number]
  options?: ParseArgsOptionsConfig
  /** @throws CommandError, or Error with a message for the operator */
  run(context: CommandContext, input: Input): Promise<void>
}

/** A command that could not do its work, with the reason for the operator. */
export class CommandError extends Error {
  /** Whether it was called in a wrong way, so that its usage helps. */
  readonly isMisuse: boolean

  constructor(message: string, isMisuse = false) {
    super(message)
    this.name = 'CommandError'
    this.isMisuse = isMisuse
  }
}

/** Parses the arguments of a command. @throws CommandError where they are not as its usage says */
export function parseInput({ takes: [least, most], options = {} }: Command, args: string[]): Input {
  const { positionals, values } = parseOptions(options, args)
  if (positionals.length < least) throw new CommandError('An argument is missing.', true)
  if (positionals.length > most) throw new CommandError('There are too many arguments.', true)
  return { positionals, values }
}

function parseOptions(options: ParseArgsOptionsConfig, args: string[]): Input {
  try {
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true })
    return { positionals, values: values as Input['values'] }
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error), true)
  }
}

/** Makes a command open the server's database, also while the server runs, and close it again. */
export function withDatabase(run: (context: DatabaseContext, input: Input) => Promise<void>): Command['run'] {
  return async (context, input) => {
    const { env } = context
    // Opening it would make a new one, in a folder that is probably the wrong one.
    if (env.databaseUrl === null && !existsSync(join(env.dataDir, sqliteFileName))) {
      throw new CommandError(
        `DATA_DIR: there is no database in ${env.dataDir}. Is it the folder of the server?`,
      )
    }
    const db = await openDatabase({ ...env, mustBeCurrent: true })
    try {
      await run({ ...context, db }, input)
    } finally {
      await db.destroy()
    }
  }
}

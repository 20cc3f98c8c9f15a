import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import manifest from '../package.json' with { type: 'json' }
import { type Env, EnvError, readEnv } from './env.ts'
import { backUp } from './ops/backup/back-up.ts'
import { restore } from './ops/backup/restore.ts'

/** A command of `npm run admin --`, for the operator's shell. */
interface AdminCommand {
  usage: string
  /** Returns what to print. @throws UsageError, or Error with a message for the operator */
  run(args: string[], env: Env): Promise<string>
}

/** The arguments of a command cannot be understood. */
class UsageError extends Error {}

const commands: Record<string, AdminCommand> = {
  backup: {
    usage: 'backup DIR             copies database, secret and covers, while the server runs',
    async run(args, env) {
      const { folder } = parseFolder(args)
      const { engine, files } = await backUp(env, folder, manifest.version)
      const hint =
        env.secret === null ? '' : '\nSECRET is set in the environment: it is not in the backup. Keep it too.'
      return `Backed up ${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'} and ${Object.keys(files).length - 1} more files to ${folder}${hint}`
    },
  },
  restore: {
    usage: 'restore DIR [--force]  puts a backup in the place of the data, while the server is stopped',
    async run(args, env) {
      const { folder, isForced } = parseFolder(args)
      const restored = await restore(env, folder, { isForced, logger: pino({ level: 'silent' }) })
      const lines = [`Restored the backup of ${restored.manifest.madeAt}. Start the server to use it.`]
      if (restored.replacedDir !== null)
        lines.push(`What was there before is kept in ${restored.replacedDir}`)
      if (!restored.hasSecret && env.secret === null) {
        lines.push(
          'The backup has no secret: set SECRET to the one of the old server, or people sign in again.',
        )
      }
      return lines.join('\n')
    },
  },
}

/** Runs the command that the arguments name. Returns the process's exit code. */
async function runAdmin([name = '', ...args]: string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) return fail(describeUsage())
  try {
    process.stdout.write(`${await command.run(args, readEnv())}\n`)
    return 0
  } catch (error) {
    if (error instanceof UsageError) return fail(describeUsage())
    return fail(error instanceof EnvError || error instanceof Error ? error.message : String(error))
  }
}

function describeUsage(): string {
  return [
    'Usage: npm run admin -- COMMAND',
    ...Object.values(commands).map(({ usage }) => `  ${usage}`),
  ].join('\n')
}

function fail(message: string): number {
  process.stderr.write(`${message}\n`)
  return 1
}

/** Relative paths start where the command was typed: npm changes the working directory. */
function parseFolder(args: string[]): { folder: string; isForced: boolean } {
  const { positionals, values } = parse(args)
  const [folder] = positionals
  if (folder === undefined || positionals.length > 1) throw new UsageError()
  return { folder: resolve(process.env['INIT_CWD'] ?? '.', folder), isForced: values.force }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { force: { type: 'boolean', default: false } },
    })
  } catch (error) {
    throw new UsageError('', { cause: error })
  }
}

// Files are readable by the owner only.
process.umask(0o077)
process.exitCode = await runAdmin(process.argv.slice(2))

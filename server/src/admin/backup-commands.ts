import { resolve } from 'node:path'
import { pluralsOf } from '@earshot/core/plurals'
import manifest from '../../package.json' with { type: 'json' }
import { backUp } from '../ops/backup/back-up.ts'
import { copyToPostgres } from '../ops/backup/copy-to-postgres.ts'
import { backupNames } from '../ops/backup/manifest.ts'
import { restore } from '../ops/backup/restore.ts'
import { type Command, CommandError } from './command.ts'

const plural = pluralsOf<'one'>('en')

/** Copying all data of a server, and putting the copy in its place. */
export const backupCommands: Record<string, Command> = {
  backup: {
    usage: 'backup DIR',
    summary: 'copy database, secret and covers, while the server runs',
    takes: [1, 1],
    async run({ env, cwd, print }, { positionals: [name = ''] }) {
      const folder = resolve(cwd, name)
      const { engine, files } = await backUp(env, folder, manifest.version)
      const database = engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'
      const more = plural(Object.keys(files).length - 1, { one: '# more file', other: '# more files' })
      print(`Backed up ${database} and ${more} to ${folder}`)
      if (env.secret !== null)
        print('SECRET is set in the environment: it is not in the backup. Keep it too.')
      else if (!(backupNames.secret in files))
        print(
          `There is no secret in ${env.dataDir}, so the backup has none. Is it the DATA_DIR of the server?`,
        )
    },
  },
  restore: {
    usage: 'restore DIR [--force]',
    summary: 'put a backup in the place of the data, while the server is stopped',
    takes: [1, 1],
    options: { force: { type: 'boolean' } },
    async run({ env, cwd, logger, print }, { positionals: [name = ''], values }) {
      const restored = await restore(env, resolve(cwd, name), { isForced: values['force'] === true, logger })
      print(`Restored the backup of ${restored.manifest.madeAt}. Start the server to use it.`)
      if (restored.replacedDir !== null) print(`What was there before is kept in ${restored.replacedDir}`)
      if (restored.ownerError !== null) {
        print(`Its files could not be given to the owner of ${env.dataDir}: ${restored.ownerError}`)
        print('If the server runs as that user, use chown -R before you start it.')
      }
      if (!restored.hasSecret && env.secret === null) {
        print('The backup has no secret: set SECRET to the one of the old server, or people sign in again.')
      }
    },
  },
  'copy-to-postgres': {
    usage: 'copy-to-postgres',
    summary: 'copy SQLite into the empty PostgreSQL of DATABASE_URL, while the server is stopped',
    takes: [0, 0],
    async run({ env: { dataDir, databaseUrl }, logger, print }) {
      if (databaseUrl === null) throw new CommandError('DATABASE_URL: set it to the PostgreSQL to copy into.')
      const { rows, tables } = await copyToPostgres({ dataDir, databaseUrl }, logger)
      print(`Copied ${rows} rows of ${tables} tables. Start the server with this DATABASE_URL to use them.`)
      print('The SQLite database is kept as it was.')
    },
  },
}

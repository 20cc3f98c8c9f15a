import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import type { Clock } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import { type AdminUser, newInviteSchema } from '@earshot/core/protocol/admin-calls'
import type { Logger } from 'pino'
import { createAdminCode } from '../accounts/admin-code.ts'
import { changeUser } from '../accounts/roles.ts'
import { createServerInvite, inviteLink } from '../accounts/server-invites.ts'
import { findRoomsByName } from '../db/admin-rooms.ts'
import type { Db } from '../db/database.ts'
import { findUserByAnyName, listUsers } from '../db/users.ts'
import type { Env } from '../env.ts'
import { deleteRoomRows } from '../rooms/delete-room.ts'
import { publicUrlOf } from './public-url.ts'
import { createResetLink } from './reset-link.ts'

/** What a command works with. */
export interface CommandContext {
  env: Env
  db: Db
  clock: Clock
  logger: Logger
  print: (line: string) => void
}

interface Input {
  positionals: string[]
  values: Record<string, string | boolean | undefined>
}

/** A command of `npm run admin`. */
export interface Command {
  usage: string
  summary: string
  /** @throws CommandError where the arguments are not as the usage says */
  parse(args: string[]): Input
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

interface Definition {
  usage: string
  summary: string
  /** How many arguments without a name it takes: at least, and at most. */
  takes: [number, number]
  options?: ParseArgsOptionsConfig
  run: Command['run']
}

const definitions: Record<string, Definition> = {
  code: {
    usage: 'code',
    summary: 'print a new code that makes the first administrator at /admin',
    takes: [0, 0],
    async run({ db, clock, print }) {
      const code = await createAdminCode({ db, clock })
      if (code === null) {
        throw new CommandError('There is an administrator already. Make another one with make-admin USER.')
      }
      print(`${code}\nSign in, open /admin and enter it within ${limits.adminCodeMs / 3_600_000} h.`)
    },
  },
  'list-users': {
    usage: 'list-users [TEXT]',
    summary: 'list the users, or those with a text in name or email',
    takes: [0, 1],
    async run({ db, print }, { positionals: [q = ''] }) {
      for (let offset = 0, total = 1; offset < total; offset += limits.adminPageSize) {
        const page = await listUsers(db, { q, offset })
        total = page.total
        for (const user of page.users) print(describeUser(user))
      }
    },
  },
  'reset-password': {
    usage: 'reset-password USER',
    summary: 'print a link with which the user sets a new password',
    takes: [1, 1],
    async run(context, { positionals }) {
      const user = await requireUser(context.db, positionals)
      const { link, expiresAt } = await createResetLink(context, user.id)
      context.print(`${link}\nIt sets the password of ${user.email} once, until ${formatTime(expiresAt)}.`)
      hintAddress(context)
    },
  },
  'make-admin': {
    usage: 'make-admin USER',
    summary: 'make a user an administrator',
    takes: [1, 1],
    run: async (context, { positionals }) =>
      change(context, positionals, { isAdmin: true }, 'is an administrator now'),
  },
  'remove-admin': {
    usage: 'remove-admin USER',
    summary: 'make an administrator a plain user; never the last one',
    takes: [1, 1],
    run: async (context, { positionals }) =>
      change(context, positionals, { isAdmin: false }, 'is no administrator now'),
  },
  disable: {
    usage: 'disable USER',
    summary: 'sign a user out everywhere and refuse their sign-in',
    takes: [1, 1],
    run: async (context, { positionals }) =>
      change(context, positionals, { isDisabled: true }, 'is disabled. Their connections end within seconds'),
  },
  enable: {
    usage: 'enable USER',
    summary: 'let a disabled user sign in again',
    takes: [1, 1],
    run: async (context, { positionals }) =>
      change(context, positionals, { isDisabled: false }, 'may sign in again'),
  },
  'delete-room': {
    usage: 'delete-room ROOM',
    summary: 'delete a room, given its id or its whole name, with queue and chat',
    takes: [1, 1],
    async run({ db, print }, { positionals: [room = ''] }) {
      const [found, ...others] = await findRoomsByName(db, room)
      const { id, name } = found ?? fail(`There is no room ${JSON.stringify(room)}.`)
      const ids = [id, ...others.map((other) => other.id)]
      if (ids.length > 1)
        throw new CommandError(`Several rooms have this name. Give an id: ${ids.join(', ')}`)
      await deleteRoomRows(db, id)
      print(`${name} is deleted. Its members are removed within seconds.`)
    },
  },
  invite: {
    usage: 'invite [--uses N] [--days N] [--note TEXT] [--no-library]',
    summary: 'print a link with which somebody may sign up',
    takes: [0, 0],
    options: {
      uses: { type: 'string' },
      days: { type: 'string' },
      note: { type: 'string' },
      'no-library': { type: 'boolean' },
    },
    async run(context, { values }) {
      const parsed = newInviteSchema.safeParse({
        uses: toNumber(values['uses']),
        days: toNumber(values['days']),
        note: values['note'],
        givesLibraryAccess: values['no-library'] !== true,
      })
      if (!parsed.success) {
        const { serverInviteUsesMax: uses, serverInviteDaysMax: days } = limits
        throw new CommandError(`--uses is from 1 to ${uses}, --days from 1 to ${days}.`, true)
      }
      const { invite, token } = await createServerInvite(context, parsed.data)
      const times = invite.maxUses === 1 ? 'once' : `${invite.maxUses} times`
      context.print(inviteLink(publicUrlOf(context.env), token))
      context.print(`It admits ${times}, until ${formatTime(invite.expiresAt)}.`)
      hintAddress(context)
    },
  },
}

/** By name. Further commands are added to the table above. */
export const commands: ReadonlyMap<string, Command> = new Map(
  Object.entries(definitions).map(([name, definition]) => [name, toCommand(definition)]),
)

function toCommand({ usage, summary, takes: [least, most], options = {}, run }: Definition): Command {
  return {
    usage,
    summary,
    run,
    parse(args) {
      try {
        const { positionals, values } = parseArgs({ args, options, allowPositionals: true })
        if (positionals.length < least) throw new CommandError('An argument is missing.', true)
        if (positionals.length > most) throw new CommandError('There are too many arguments.', true)
        return { positionals, values: values as Input['values'] }
      } catch (error) {
        if (error instanceof CommandError) throw error
        throw new CommandError(error instanceof Error ? error.message : String(error), true)
      }
    },
  }
}

async function change(
  { db, print }: CommandContext,
  positionals: string[],
  changes: Parameters<typeof changeUser>[2],
  outcome: string,
): Promise<void> {
  const user = await requireUser(db, positionals)
  await changeUser(db, user.id, changes)
  print(`${user.username} (${user.email}) ${outcome}.`)
}

async function requireUser(db: Db, [name = '']: string[]): Promise<AdminUser> {
  return (await findUserByAnyName(db, name)) ?? fail(`There is no user ${JSON.stringify(name)}.`)
}

function fail(message: string): never {
  throw new CommandError(message)
}

function describeUser({ id, username, email, isAdmin, isDisabled }: AdminUser): string {
  const marks = [isAdmin ? 'admin' : '', isDisabled ? 'disabled' : ''].filter((mark) => mark !== '')
  return [id, email, username, ...marks].join('\t')
}

function toNumber(value: string | boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value)
}

function formatTime(atMs: number): string {
  return new Date(atMs).toISOString().replace(/:\d\d\.\d+Z$/, 'Z')
}

function hintAddress({ env, print }: CommandContext): void {
  if (env.publicUrl === null) print('Set PUBLIC_URL for links that work on other machines.')
}

import type { AdminUser } from '@earshot/core/protocol/admin-calls'
import { deleteAccountRows } from '../accounts/delete-account.ts'
import { changeUser, requireOtherAdmin } from '../accounts/roles.ts'
import type { Db } from '../db/database.ts'
import { findUserByAnyName, listUsers, waiveConfirmation } from '../db/users.ts'
import { type Command, CommandError, withDatabase } from './command.ts'
import { formatTime, hintAddress } from './links.ts'
import { printable } from './printable.ts'
import { createResetLink } from './reset-link.ts'
import { serverLimits } from '../server-limits.ts'

/** The users of a server. */
export const userCommands: Record<string, Command> = {
  'list-users': {
    usage: 'list-users [TEXT]',
    summary: 'list the users, or those with a text in name or email',
    takes: [0, 1],
    run: withDatabase(async ({ db, print }, { positionals: [q = ''] }) => {
      for (let offset = 0, total = 1; offset < total; offset += serverLimits.adminPageSize) {
        const page = await listUsers(db, { q, offset })
        total = page.total
        for (const user of page.users) print(describeUser(user))
      }
    }),
  },
  'reset-password': {
    usage: 'reset-password USER',
    summary: 'print a link with which the user sets a new password',
    takes: [1, 1],
    run: withDatabase(async (context, { positionals }) => {
      const user = await requireUser(context.db, positionals)
      const { link, expiresAt } = await createResetLink(context, user.id)
      context.print(
        `${link}\nIt sets the password of ${printable(user.email)} once, until ${formatTime(expiresAt)}.`,
      )
      hintAddress(context)
    }),
  },
  confirm: {
    usage: 'confirm USER',
    summary: 'let a user sign in whom the mail to confirm the address did not reach',
    takes: [1, 1],
    run: withDatabase(async ({ db, print }, { positionals }) => {
      const user = await requireUser(db, positionals)
      await waiveConfirmation(db, user.id)
      print(`${nameOf(user)} may sign in without confirming the address.`)
    }),
  },
  'make-admin': {
    usage: 'make-admin USER',
    summary: 'make a user an administrator',
    takes: [1, 1],
    run: change({ isAdmin: true }, 'is an administrator now'),
  },
  'remove-admin': {
    usage: 'remove-admin USER',
    summary: 'make an administrator a plain user; never the last one',
    takes: [1, 1],
    run: change({ isAdmin: false }, 'is no administrator now'),
  },
  disable: {
    usage: 'disable USER',
    summary: 'sign a user out everywhere and refuse their sign-in',
    takes: [1, 1],
    run: change({ isDisabled: true }, 'is disabled. Their connections end within seconds'),
  },
  enable: {
    usage: 'enable USER',
    summary: 'let a disabled user sign in again',
    takes: [1, 1],
    run: change({ isDisabled: false }, 'may sign in again'),
  },
  'delete-user': {
    usage: 'delete-user USER',
    summary: 'delete an account with its profile and its rooms; never the last administrator',
    takes: [1, 1],
    run: withDatabase(async ({ db, print }, { positionals }) => {
      const user = await requireUser(db, positionals)
      await requireOtherAdmin(db, user.id)
      await deleteAccountRows(db, user.id)
      print(`${nameOf(user)} is deleted. Their connections end within seconds.`)
    }),
  },
}

function change(changes: Parameters<typeof changeUser>[2], outcome: string): Command['run'] {
  return withDatabase(async ({ db, print }, { positionals }) => {
    const user = await requireUser(db, positionals)
    await changeUser(db, user.id, changes)
    print(`${nameOf(user)} ${outcome}.`)
  })
}

async function requireUser(db: Db, [name = '']: string[]): Promise<AdminUser> {
  const user = await findUserByAnyName(db, name)
  if (!user) throw new CommandError(`There is no user ${JSON.stringify(name)}.`)
  return user
}

const nameOf = ({ username, email }: AdminUser): string => `${printable(username)} (${printable(email)})`

function describeUser({ id, username, email, isAdmin, isDisabled }: AdminUser): string {
  const marks = [isAdmin ? 'admin' : '', isDisabled ? 'disabled' : ''].filter((mark) => mark !== '')
  return [id, printable(email), printable(username), ...marks].join('\t')
}

import { hourMs } from '@earshot/core/clock'
import { limits } from '@earshot/core/limits'
import { newInviteSchema } from '@earshot/core/protocol/admin-calls'
import { createAdminCode } from '../accounts/admin-code.ts'
import { inviteLink } from '../accounts/invite-link.ts'
import { createServerInvite } from '../db/server-invites.ts'
import { type Command, CommandError, withDatabase } from './command.ts'
import { formatTime, hintAddress, publicUrlOf } from './links.ts'
import { serverLimits } from '../server-limits.ts'

/** Commands for administrators and sign-up. */
export const accessCommands: Record<string, Command> = {
  code: {
    usage: 'code',
    summary: 'print a new code that makes the first administrator at /admin',
    takes: [0, 0],
    run: withDatabase(async ({ db, clock, print }) => {
      const code = await createAdminCode({ db, clock })
      if (code === null) {
        throw new CommandError('There is an administrator already. Make another one with make-admin USER.')
      }
      print(`${code}\nSign in, open /admin and enter it within ${serverLimits.adminCodeMs / hourMs} h.`)
    }),
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
    run: withDatabase(async (context, { values }) => {
      const parsed = newInviteSchema.safeParse({
        uses: toNumber(values['uses']),
        days: toNumber(values['days']),
        note: values['note'],
        givesLibraryAccess: values['no-library'] !== true,
      })
      if (!parsed.success) {
        const { inviteUsesMax: uses, serverInviteDaysMax: days } = limits
        throw new CommandError(`--uses is from 1 to ${uses}, --days from 1 to ${days}.`, true)
      }
      const { invite, token } = await createServerInvite(context, parsed.data)
      const times = invite.maxUses === 1 ? 'once' : `${invite.maxUses} times`
      context.print(inviteLink(publicUrlOf(context.env), token))
      context.print(`It admits ${times}, until ${formatTime(invite.expiresAt)}.`)
      hintAddress(context)
    }),
  },
}

function toNumber(value: string | boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value)
}

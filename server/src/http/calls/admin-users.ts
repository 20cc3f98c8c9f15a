import type { Clock } from '@earshot/core/clock'
import { AppError } from '@earshot/core/protocol/errors'
import { httpApi } from '@earshot/core/protocol/http-api'
import { validationMessages } from '@earshot/core/protocol/validation-messages'
import type { FastifyInstance } from 'fastify'
import { type AccountDeletionParts, deleteAccount } from '../../accounts/delete-account.ts'
import { inviteLink } from '../../accounts/invite-link.ts'
import { changeUser } from '../../accounts/roles.ts'
import type { CreateResetLink } from '../../auth/session.ts'
import { createServerInvite, listServerInvites, revokeServerInvite } from '../../db/server-invites.ts'
import { findUser, listUsers } from '../../db/users.ts'
import { type AdminCallParts, registerAdminCall } from './admin-call.ts'
import { serverLimits } from '../../server-limits.ts'

interface AdminUsersParts extends AdminCallParts, AccountDeletionParts {
  clock: Clock
  createResetLink: CreateResetLink
  /** The address of the server for browsers. */
  origin: () => string
}

/** Serves the users and the invites to the server, to administrators. */
export function registerAdminUserCalls(server: FastifyInstance, parts: AdminUsersParts): void {
  const { db, events } = parts

  registerAdminCall(server, parts, httpApi.listUsers, {
    handle: async ({ query }) => {
      const { users, total } = await listUsers(db, query)
      return { users, total, nextOffset: nextOffset(query.offset, users.length, total) }
    },
  })

  registerAdminCall(server, parts, httpApi.updateUser, {
    audit: ({ params, body }) => ({ action: describeChange(body), target: params.userId }),
    handle: async ({ params: { userId }, body, session }) => {
      // Nobody locks themselves out by a slip.
      if (body.isDisabled === true && userId === session.user.id) {
        throw new AppError('invalid_input', validationMessages.ownAccountDisabled)
      }
      const { user, endedSessions } = await changeUser(db, userId, body)
      await events.emit('rightsChanged', { userId })
      for (const sessionId of endedSessions) await events.emit('sessionEnded', { sessionId, isRemote: false })
      return { user }
    },
  })

  registerAdminCall(server, parts, httpApi.deleteUser, {
    audit: ({ params }) => ({ action: 'delete_user', target: params.userId }),
    handle: async ({ params: { userId }, session }) => {
      // So that an administrator is always left.
      if (userId === session.user.id) {
        throw new AppError('invalid_input', 'You can delete your own account on your profile')
      }
      if (!(await findUser(db, userId))) throw new AppError('not_found')
      await deleteAccount(parts, userId)
      return {}
    },
  })

  registerAdminCall(server, parts, httpApi.createResetLink, {
    audit: ({ params }) => ({ action: 'create_reset_link', target: params.userId }),
    handle: async ({ params: { userId } }) => {
      const user = await findUser(db, userId)
      if (!user) throw new AppError('not_found')
      if (user.isDisabled) throw new AppError('account_disabled', 'Enable this account first')
      return parts.createResetLink(userId)
    },
  })
  registerInviteCalls(server, parts)
}

function registerInviteCalls(server: FastifyInstance, parts: AdminUsersParts): void {
  registerAdminCall(server, parts, httpApi.listServerInvites, {
    handle: async () => ({ invites: await listServerInvites(parts) }),
  })

  registerAdminCall(server, parts, httpApi.createServerInvite, {
    audit: () => ({ action: 'create_invite' }),
    handle: async ({ body }) => {
      const { invite, token } = await createServerInvite(parts, body)
      return { invite, token, link: inviteLink(parts.origin(), token) }
    },
  })

  registerAdminCall(server, parts, httpApi.revokeServerInvite, {
    audit: ({ params }) => ({ action: 'revoke_invite', target: params.inviteId }),
    handle: async ({ params }) => {
      await revokeServerInvite(parts, params.inviteId)
      return {}
    },
  })
}

/** Returns the offset of the next page; null after the last one. */
export function nextOffset(offset: number, count: number, total: number): number | null {
  const next = offset + count
  return count === serverLimits.adminPageSize && next < total ? next : null
}

/** For the security log: is_disabled=true. */
function describeChange(changes: Record<string, boolean | undefined>): string {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return `update_user ${given.map(([name, value]) => `${name}=${value}`).join(' ')}`.trim()
}

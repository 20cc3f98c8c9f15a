import { AppError } from '@earshot/core/protocol/errors'
import { guestSchema } from '@earshot/core/protocol/validation'
import { validationMessages } from '@earshot/core/protocol/validation-messages'
import { APIError, getSessionFromCtx } from 'better-auth/api'
import { anonymous } from 'better-auth/plugins/anonymous'
import { mixesAlphabets } from '../db/name-keys.ts'
import { isReservedName } from '../db/reserved-names.ts'
import type { EventBus } from '../events.ts'
import { clientAddressHeader } from './session.ts'

/** Counts a new guest from an address. @throws AppError rate_limited */
export type TakeGuestPoint = (address: string) => Promise<void>

/**
 * Lets visitors sign in with a name alone: the library's anonymous users. Checks here, and not on the path, because the
 * library may accept other spellings of it. What a guest leaves behind is moved and deleted by `guestSignedIn`.
 */
export function guestPlugin(parts: { events: EventBus; takeGuestPoint: TakeGuestPoint }) {
  return anonymous({
    disableDeleteAnonymousUser: true,
    async generateName(context) {
      const { data: guest } = guestSchema.safeParse(context.body)
      if (!guest) throw new APIError('BAD_REQUEST', { message: validationMessages.nameRequired })
      if (await getSessionFromCtx(context)) {
        throw new APIError('BAD_REQUEST', { message: 'You are signed in already' })
      }
      if (isReservedName(guest.name)) {
        const { code, message } = new AppError('name_taken')
        throw new APIError('CONFLICT', { code, message })
      }
      if (mixesAlphabets(guest.name)) {
        throw new APIError('BAD_REQUEST', { message: validationMessages.nameMixesAlphabets })
      }
      await refuseTooManyGuests(parts.takeGuestPoint, context.headers?.get(clientAddressHeader) ?? '')
      return guest.name
    },
    async onLinkAccount({ anonymousUser, newUser }) {
      const guestId = anonymousUser.user.id
      const userId = newUser.user.id
      if (userId === guestId || newUser.user['isAnonymous'] === true) return
      await parts.events.emit('guestSignedIn', { guestId, userId })
    },
  })
}

async function refuseTooManyGuests(take: TakeGuestPoint, address: string): Promise<void> {
  try {
    await take(address)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new APIError('TOO_MANY_REQUESTS', { message: error.message, ...error.details })
  }
}

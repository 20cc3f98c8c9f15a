import { z } from 'zod'
import { limits } from '../limits.ts'
import { roomSettingsSchema, sourceSchema } from './entities.ts'
import { cleanName, countCharacters, isVisible } from './text.ts'
import { validationMessages } from './validation-messages.ts'

/** The input rules of section 5 of docs/spec.md, shared by the forms, the HTTP API and the realtime channel. */

/** A letter with its marks, as keyboards compose it. */
const mostUnitsOfCharacter = 8

/** A name that others see: visible, in composed form, without marks of direction and spaces around it. */
export const nameSchema = z
  .string()
  // Before it is composed, which takes seconds for thousands of marks.
  .max(limits.displayNameMaxLength * mostUnitsOfCharacter, { abort: true })
  .overwrite(cleanName)
  .max(limits.displayNameMaxLength)
  .refine(isVisible, validationMessages.nameRequired)

/** The name of a guest. */
export const guestSchema = z.object({ name: nameSchema })

/** 5.1 */
export const signInSchema = z.object({
  email: z.string().trim().min(1, validationMessages.emailAndPasswordRequired),
  password: z.string().min(1, validationMessages.emailAndPasswordRequired),
})

/** 5.1 */
export const signUpSchema = signInSchema.refine(
  (input) => countCharacters(input.password) >= limits.passwordMinLength,
  { message: validationMessages.passwordTooShort, path: ['password'] },
)

const newPassword = z
  .string()
  .refine(
    (password) => countCharacters(password) >= limits.passwordMinLength,
    validationMessages.passwordTooShort,
  )
  .max(limits.accountPasswordMaxLength, validationMessages.passwordTooLong)

/** Asks for a mail with a link to set a new password. */
export const requestResetSchema = z.object({
  email: z.string().trim().min(1, validationMessages.emailRequired),
})

/** Sets a new password with the token of the mailed link. */
export const resetPasswordSchema = z.object({ token: z.string().min(1).max(100), newPassword })

export const changePasswordSchema = z.object({
  currentPassword: z.string().min(1, validationMessages.currentPasswordRequired),
  newPassword,
})

const roomPasswordSchema = z.string().trim().max(limits.roomPasswordMaxLength)

export const roomNameSchema = z
  .string(validationMessages.roomNameRequired)
  .trim()
  .refine(isVisible, validationMessages.roomNameRequired)
  .max(limits.roomNameMaxLength, validationMessages.roomNameTooLong)

/** 5.2. Drops the password of a public room; a private room needs one that is not blank. A password alone asks for one. */
export const createRoomSchema = z
  .object({
    name: roomNameSchema,
    isPublic: z.boolean().optional(),
    password: roomPasswordSchema.nullish(),
    /** The user's own preference where it is left out. */
    preferredSource: sourceSchema.optional(),
  })
  .transform((input) => {
    const isPublic = (input.password ?? '') === '' && limits.newRoomIsPublic
    return { ...input, isPublic: input.isPublic ?? isPublic }
  })
  .refine((input) => input.isPublic || (input.password ?? '') !== '', {
    message: validationMessages.roomPasswordRequired,
    path: ['password'],
  })
  .transform((input) => ({ ...input, password: input.isPublic ? null : (input.password ?? null) }))
export type CreateRoomInput = z.input<typeof createRoomSchema>

/** Settings as they are stored accept anything; those that are sent must be known. */
const { control, guests, guestsChat, guestsQueue, removal, listed, repeat, skipVotes, waitingTracks } =
  roomSettingsSchema.shape
const sentSettingsSchema = z
  .strictObject({
    control: control.unwrap().unwrap(),
    guests: guests.unwrap().unwrap(),
    guestsChat: guestsChat.unwrap().unwrap(),
    guestsQueue: guestsQueue.unwrap().unwrap(),
    removal: removal.unwrap().unwrap(),
    listed: listed.unwrap().unwrap(),
    repeat: repeat.unwrap().unwrap(),
    skipVotes: skipVotes.unwrap().unwrap(),
    waitingTracks: waitingTracks.unwrap().unwrap(),
  })
  .partial()

/** Changes of a room by its owner. Fields that are left out keep their values; a password makes a room private. */
export const updateRoomSchema = z
  .strictObject({
    name: roomNameSchema,
    settings: sentSettingsSchema,
    isPublic: z.boolean(),
    password: roomPasswordSchema.min(1, validationMessages.roomPasswordRequired),
  })
  .partial()
  .transform(({ password, ...changes }) =>
    password === undefined || changes.isPublic === true
      ? changes
      : { ...changes, isPublic: false as const, password },
  )
export type RoomChanges = z.input<typeof updateRoomSchema>

/** The key to a private room: its password, or the token of an invite link. */
export const joinRoomSchema = z.object({
  password: z.string().max(limits.roomPasswordMaxLength).nullish(),
  invite: z.string().max(100).nullish(),
})
export type RoomKey = z.infer<typeof joinRoomSchema>

/** 5.4. At most `limits.messageMaxLength` code points. */
export const messageContentSchema = z
  .string()
  .trim()
  .refine(isVisible, validationMessages.messageEmpty)
  .refine((content) => countCharacters(content) <= limits.messageMaxLength, validationMessages.messageTooLong)

/** The id that a client gives a message, so that a repetition is recognised: the same message is stored once. */
export const clientMessageIdSchema = z.string().min(1).max(64)

/** 5.5. Refuses a blank query, which the page does not send. */
export const searchQuerySchema = z.object({
  source: sourceSchema,
  q: z.string().trim().min(1).max(limits.searchQueryMaxLength),
  offset: z.coerce.number().int().min(0).max(limits.searchOffsetMax).default(0),
  limit: z.coerce.number().int().min(1).max(limits.searchPageSize).default(limits.searchPageSize),
})

export const profileUpdateSchema = z
  .object({
    username: nameSchema,
    full_name: z.string().trim().max(limits.displayNameMaxLength),
    preferred_source: sourceSchema,
    match_elsewhere: z.boolean(),
  })
  .partial()
  .strict()

const roomsCursorMaxLength = 300

/**
 * Which rooms to list: `q` searches their names, `source` is that of the current track or the preferred one, `scope`
 * takes public rooms only, or those of the signed-in user. `playing` lists rooms that play first.
 */
export const roomsQuerySchema = z.object({
  q: z.string().trim().max(limits.roomNameMaxLength).default(''),
  source: sourceSchema.optional(),
  scope: z.enum(['all', 'public', 'own']).default('all'),
  order: z.enum(['listeners', 'playing']).default('listeners'),
  cursor: z.string().min(1).max(roomsCursorMaxLength).optional(),
  limit: z.coerce.number().int().min(1).max(limits.roomsPageMax).default(limits.roomsPageMax),
})
export type RoomsQuery = z.output<typeof roomsQuerySchema>

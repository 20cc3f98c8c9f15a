import { limits } from '../limits.ts'

/** The messages of refused input, in English: on the wire, and the keys of their translations. */
export const validationMessages = {
  emailRequired: 'Email is required',
  emailInvalid: 'Invalid email address',
  emailTaken: 'Another account has this email address',
  passwordRequired: 'Password is required',
  currentPasswordRequired: 'Current password is required',
  emailAndPasswordRequired: 'Email and password are required',
  passwordTooShort: `Password must be at least ${limits.passwordMinLength} characters`,
  passwordTooLong: `Password must have at most ${limits.accountPasswordMaxLength} characters`,
  roomNameRequired: 'Room name required',
  roomPasswordRequired: 'Password required',
  roomNameTooLong: `A room name has at most ${limits.roomNameMaxLength} characters`,
  nameRequired: 'Name required',
  nameMixesAlphabets: 'Use one alphabet in each word of a name',
  messageEmpty: 'Empty message',
  messageTooLong: `A message has at most ${limits.messageMaxLength} characters`,
  ownAccountDisabled: 'You cannot disable your own account',
} as const

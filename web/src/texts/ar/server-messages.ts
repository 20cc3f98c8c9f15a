import { limits } from '@earshot/core/limits'
import { validationMessages } from '@earshot/core/protocol/validation-messages'
import { pairTexts } from '../translated.ts'
import { errorTexts } from './errors.ts'
import { letters } from './grammar/counted.ts'

const byCode: Readonly<Record<string, string>> = {
  ...errorTexts,
  INVALID_EMAIL_OR_PASSWORD: 'البريد الإلكتروني أو كلمة المرور خطأ',
  INVALID_PASSWORD: 'كلمة المرور خاطئة',
  INVALID_EMAIL: 'البريد الإلكتروني غير صالح',
  EMAIL_NOT_VERIFIED: 'يُرجى تأكيد بريدك الإلكتروني أولًا',
  USER_ALREADY_EXISTS: 'يوجد حساب بهذا البريد الإلكتروني',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'يوجد حساب بهذا البريد الإلكتروني',
  PASSWORD_TOO_SHORT: 'كلمة المرور قصيرة جدًا',
  PASSWORD_TOO_LONG: 'كلمة المرور طويلة جدًا',
}

const validation = {
  emailRequired: 'البريد الإلكتروني مطلوب',
  emailInvalid: 'البريد الإلكتروني غير صالح',
  emailTaken: 'لحساب آخر هذا البريد الإلكتروني',
  passwordRequired: 'كلمة المرور مطلوبة',
  currentPasswordRequired: 'كلمة المرور الحالية مطلوبة',
  emailAndPasswordRequired: 'البريد الإلكتروني وكلمة المرور مطلوبان',
  passwordTooShort: `الحد الأدنى لكلمة المرور: ${letters(limits.passwordMinLength)}`,
  passwordTooLong: `الحد الأقصى لكلمة المرور: ${letters(limits.accountPasswordMaxLength)}`,
  roomNameRequired: 'اسم الغرفة مطلوب',
  roomPasswordRequired: 'كلمة المرور مطلوبة',
  roomNameTooLong: `الحد الأقصى لاسم الغرفة: ${letters(limits.roomNameMaxLength)}`,
  nameRequired: 'الاسم مطلوب',
  nameMixesAlphabets: 'استخدم أبجدية واحدة في كل كلمة من الاسم',
  messageEmpty: 'رسالة فارغة',
  messageTooLong: `الحد الأقصى للرسالة: ${letters(limits.messageMaxLength)}`,
  ownAccountDisabled: 'لا يمكنك تعطيل حسابك',
} satisfies Record<keyof typeof validationMessages, string>

const byMessage: ReadonlyMap<string, string> = new Map(pairTexts(validationMessages, validation))

export const serverMessage = (message: string, code?: string | null): string | null =>
  byMessage.get(message) ?? byCode[code ?? ''] ?? null

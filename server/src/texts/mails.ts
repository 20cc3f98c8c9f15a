import type { Language } from '@earshot/core/protocol/languages'
import type { Mail } from '../mail/mailer.ts'

/** `confirmation` is of the address of a new account, `emailChange` of the new address of an account. */
export type MailKind = 'confirmation' | 'emailChange' | 'passwordReset'

interface MailText {
  subject: string
  reason: string
  /** What to do with the link, which follows. */
  request: string
  /** For whoever did not cause the mail. */
  otherwise: string
}

const texts: Record<Language, Record<MailKind, MailText>> = {
  en: {
    confirmation: {
      subject: 'Confirm your account',
      reason: 'Welcome to Earshot.',
      request: 'Please confirm your account by opening this link:',
      otherwise: 'If you did not sign up, ignore this mail: nothing more will come.',
    },
    emailChange: {
      subject: 'Confirm your new email address',
      reason: 'Somebody wants to use this address for their Earshot account.',
      request: 'To confirm that it is yours, open this link within an hour:',
      otherwise: 'If it was not you, ignore this mail: nothing changes.',
    },
    passwordReset: {
      subject: 'Set a new password',
      reason: 'Somebody asked for a new password for your Earshot account.',
      request: 'To choose one, open this link within an hour:',
      otherwise: 'If it was not you, ignore this mail: your password stays as it is.',
    },
  },
  de: {
    confirmation: {
      subject: 'Bestätige dein Konto',
      reason: 'Willkommen bei Earshot.',
      request: 'Bitte bestätige dein Konto, indem du diesen Link öffnest:',
      otherwise: 'Falls du dich nicht registriert hast, ignoriere diese E-Mail. Du bekommst keine weitere.',
    },
    emailChange: {
      subject: 'Bestätige deine neue E-Mail-Adresse',
      reason: 'Jemand möchte diese Adresse für ein Earshot-Konto verwenden.',
      request: 'Wenn es deine Adresse ist, bestätige sie innerhalb einer Stunde mit diesem Link:',
      otherwise: 'Falls du das nicht warst, ignoriere diese E-Mail. Dann ändert sich nichts.',
    },
    passwordReset: {
      subject: 'Lege ein neues Passwort fest',
      reason: 'Jemand hat ein neues Passwort für dein Earshot-Konto angefordert.',
      request: 'Um eines festzulegen, öffne innerhalb einer Stunde diesen Link:',
      otherwise: 'Falls du das nicht warst, ignoriere diese E-Mail. Dein Passwort bleibt, wie es ist.',
    },
  },
  ar: {
    confirmation: {
      subject: 'أكِّد حسابك',
      reason: 'مرحبًا بك في Earshot.',
      request: 'يُرجى تأكيد حسابك بفتح هذا الرابط:',
      otherwise: 'إذا لم تسجّل حسابًا فتجاهل هذه الرسالة، ولن تصلك رسائل أخرى.',
    },
    emailChange: {
      subject: 'أكِّد عنوان بريدك الإلكتروني الجديد',
      reason: 'طلب أحدهم استخدام هذا العنوان لحسابه في Earshot.',
      request: 'لتأكيد أنه عنوانك، افتح هذا الرابط خلال ساعة:',
      otherwise: 'إذا لم تكن أنت من طلب ذلك فتجاهل هذه الرسالة، ولن يتغيّر شيء.',
    },
    passwordReset: {
      subject: 'عيِّن كلمة مرور جديدة',
      reason: 'طلب أحدهم كلمة مرور جديدة لحسابك في Earshot.',
      request: 'لاختيار كلمة مرور، افتح هذا الرابط خلال ساعة:',
      otherwise: 'إذا لم تكن أنت من طلب ذلك فتجاهل هذه الرسالة، وستبقى كلمة مرورك كما هي.',
    },
  },
}

/** Writes a mail with a link. */
export function writeMail(
  kind: MailKind,
  { from, to, link, language }: { from: string; to: string; link: string; language: Language },
): Mail {
  const { subject, reason, request, otherwise } = texts[language][kind]
  return { from, to, subject, text: [reason, '', request, link, '', otherwise, ''].join('\n') }
}

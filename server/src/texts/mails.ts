import type { Language } from '@earshot/core/protocol/languages'
import type { Mail } from '../mail/mailer.ts'

/**
 * `confirmation` is of the address of a new account, `emailChange` of the new address of an account. `emailChanged` goes to
 * the former one, `existingAccount` to an address that somebody signs up with again.
 */
export type MailKind = 'confirmation' | 'emailChange' | 'emailChanged' | 'passwordReset' | 'existingAccount'

interface MailText {
  subject: string
  reason: string
  /** Asks for the link, which follows, to be opened. */
  request: string
  /** For whoever did not cause the mail. */
  otherwise: string
}

const texts: Record<Language, Record<MailKind, MailText>> = {
  en: {
    confirmation: {
      subject: 'Confirm your account',
      reason: 'Welcome to Earshot.',
      request: 'Please confirm your account by opening this link within an hour:',
      otherwise: 'If you did not sign up, ignore this mail: nothing more will come.',
    },
    emailChange: {
      subject: 'Confirm your new email address',
      reason: 'Somebody wants to use this address for their Earshot account.',
      request: 'If it was you, open this link within an hour, where you are signed in:',
      otherwise: 'If it was not you, ignore this mail: nothing changes.',
    },
    emailChanged: {
      subject: 'Your email address was changed',
      reason: 'Your Earshot account has a new email address. This one no longer belongs to it.',
      request: 'The account is on this server:',
      otherwise: 'If it was not you, contact whoever runs the server at once.',
    },
    passwordReset: {
      subject: 'Set a new password',
      reason: 'Somebody asked for a new password for your Earshot account.',
      request: 'To choose one, open this link within an hour:',
      otherwise: 'If it was not you, ignore this mail: your password stays as it is.',
    },
    existingAccount: {
      subject: 'You already have an account',
      reason: 'Somebody tried to create an Earshot account with this address, which has one already.',
      request:
        'If it was you, sign in here. If you have forgotten the password, you can set a new one there:',
      otherwise: 'If it was not you, ignore this mail: nothing changes.',
    },
  },
  de: {
    confirmation: {
      subject: 'Bestätige dein Konto',
      reason: 'Willkommen bei Earshot.',
      request: 'Bitte bestätige dein Konto, indem du innerhalb einer Stunde diesen Link öffnest:',
      otherwise: 'Falls du dich nicht registriert hast, ignoriere diese E-Mail. Du bekommst keine weitere.',
    },
    emailChange: {
      subject: 'Bestätige deine neue E-Mail-Adresse',
      reason: 'Jemand möchte diese Adresse für ein Earshot-Konto verwenden.',
      request: 'Wenn du das warst, öffne innerhalb einer Stunde diesen Link, dort wo du angemeldet bist:',
      otherwise: 'Falls du das nicht warst, ignoriere diese E-Mail. Dann ändert sich nichts.',
    },
    emailChanged: {
      subject: 'Deine E-Mail-Adresse wurde geändert',
      reason: 'Dein Earshot-Konto hat eine neue E-Mail-Adresse. Diese hier gehört nicht mehr dazu.',
      request: 'Das Konto ist auf diesem Server:',
      otherwise: 'Falls du das nicht warst, wende dich sofort an den Betreiber des Servers.',
    },
    passwordReset: {
      subject: 'Lege ein neues Passwort fest',
      reason: 'Jemand hat ein neues Passwort für dein Earshot-Konto angefordert.',
      request: 'Um eines festzulegen, öffne innerhalb einer Stunde diesen Link:',
      otherwise: 'Falls du das nicht warst, ignoriere diese E-Mail. Dein Passwort bleibt, wie es ist.',
    },
    existingAccount: {
      subject: 'Du hast schon ein Konto',
      reason: 'Jemand wollte mit dieser Adresse ein Earshot-Konto erstellen. Es gibt aber schon eines.',
      request:
        'Wenn du das warst, melde dich hier an. Falls du das Passwort vergessen hast, kannst du dort ein neues festlegen:',
      otherwise: 'Falls du das nicht warst, ignoriere diese E-Mail. Dann ändert sich nichts.',
    },
  },
  ar: {
    confirmation: {
      subject: 'أكِّد حسابك',
      reason: 'مرحبًا بك في Earshot.',
      request: 'يُرجى تأكيد حسابك بفتح هذا الرابط خلال ساعة:',
      otherwise: 'إذا لم تسجّل حسابًا فتجاهل هذه الرسالة، ولن تصلك رسائل أخرى.',
    },
    emailChange: {
      subject: 'أكِّد عنوان بريدك الإلكتروني الجديد',
      reason: 'طلب أحدهم استخدام هذا العنوان لحسابه في Earshot.',
      request: 'إذا كنت أنت من طلب ذلك فافتح هذا الرابط خلال ساعة في المتصفح الذي سجّلت الدخول فيه:',
      otherwise: 'إذا لم تكن أنت من طلب ذلك فتجاهل هذه الرسالة، ولن يتغيّر شيء.',
    },
    emailChanged: {
      subject: 'تم تغيير عنوان بريدك الإلكتروني',
      reason: 'صار لحسابك في Earshot عنوان بريد إلكتروني جديد، ولم يعد هذا العنوان مرتبطًا به.',
      request: 'الحساب موجود على هذا الخادم:',
      otherwise: 'إذا لم تكن أنت من غيّره فتواصل فورًا مع من يدير الخادم.',
    },
    passwordReset: {
      subject: 'عيِّن كلمة مرور جديدة',
      reason: 'طلب أحدهم كلمة مرور جديدة لحسابك في Earshot.',
      request: 'لاختيار كلمة مرور، افتح هذا الرابط خلال ساعة:',
      otherwise: 'إذا لم تكن أنت من طلب ذلك فتجاهل هذه الرسالة، وستبقى كلمة مرورك كما هي.',
    },
    existingAccount: {
      subject: 'لديك حساب بالفعل',
      reason: 'حاول أحدهم إنشاء حساب في Earshot بهذا العنوان، وله حساب بالفعل.',
      request: 'إذا كنت أنت فسجّل الدخول من هنا. وإذا نسيت كلمة المرور فيمكنك تعيين كلمة جديدة هناك:',
      otherwise: 'إذا لم تكن أنت من حاول ذلك فتجاهل هذه الرسالة، ولن يتغيّر شيء.',
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

import { limits } from '@earshot/core/limits'
import type * as english from '../login.ts'
import type { Translated } from '../translated.ts'
import { sourceNames } from './common.ts'
import { letters } from './grammar/counted.ts'
import { isolate } from './grammar/isolate.ts'

export const login = {
  title: 'تسجيل الدخول',
  heroTitle: 'الموسيقى أجمل معًا',
  heroText: 'اربط خدماتك الموسيقية، أو ابدأ بالموسيقى الموجودة على هذا الخادم.',
  connect: { spotify: 'ربط Spotify', youtube: 'ربط YouTube' },
  cardTitle: 'انضم إلينا!',
  cardText: 'بالحساب تنشئ غرفًا وتحتفظ باسمك.',
  signIn: 'تسجيل الدخول',
  signUp: 'إنشاء حساب',
  signingIn: 'جارٍ تسجيل الدخول',
  signingUp: 'جارٍ إنشاء الحساب',
  email: 'البريد الإلكتروني',
  password: 'كلمة المرور',
  passwordHint: `الحد الأدنى: ${letters(limits.passwordMinLength)}`,
  showPassword: 'إظهار كلمة المرور',
  hidePassword: 'إخفاء كلمة المرور',
  or: 'أو',
  google: 'Google',
  googleNotice: 'هذه الميزة غير متاحة بعد',
  signInFailed: 'تعذّر تسجيل الدخول',
  signUpFailed: 'تعذّر إنشاء الحساب',
  loginFailedTitle: 'فشل تسجيل الدخول',
  loginFailedText: 'حدث خطأ أثناء تسجيل الدخول',
  hasPassword: 'لهذا العنوان كلمة مرور هنا بالفعل، فسجّل الدخول بها.',
  signInFirst: 'سجّل الدخول إلى الحساب الذي تغيّر عنوان بريده، ثم افتح الرابط في الرسالة مرة أخرى.',
  registrationFailedTitle: 'فشل إنشاء الحساب',
  registrationFailedText: 'حدث خطأ أثناء إنشاء الحساب',
  registrationSuccess: 'تم إنشاء الحساب',
  registrationSuccessText: 'يُرجى تأكيد حسابك من الرسالة التي وصلت إلى بريدك الإلكتروني',
  notConfirmed:
    'لم يتم تأكيد بريدك الإلكتروني بعد. افتح الرابط في آخر رسالة منا. نرسل خمس رسائل في الساعة على الأكثر، وكل رابط صالح لمدة ساعة.',
  confirmed: 'تم تأكيد حسابك',
  confirmedText: 'يمكنك تسجيل الدخول الآن.',
  confirmedOther: (name) =>
    isolate`أنت مسجّل الدخول في هذا المتصفح باسم ${name}. لاستخدام الحساب الذي تم تأكيده، سجّل الخروج أولًا.`,
  confirmFailed: 'لم يعد هذا الرابط صالحًا',
  confirmFailedText:
    'انتهت صلاحيته أو أنه تالف. سجّل الدخول: إن لم يتم تأكيد بريدك الإلكتروني بعد، فسنرسل رابطًا جديدًا.',
} satisfies Translated<typeof english.login>

export const signUpRule = {
  closed: 'لا يقبل هذا الخادم حسابات جديدة.',
  byInvitation: 'إنشاء الحساب بدعوة فقط. افتح الرابط الذي حصلت عليه.',
  invited: 'أنت مدعوّ إلى هذا الخادم. أنشئ حسابك.',
  ended: 'استُنفدت هذه الدعوة أو انتهت صلاحيتها. اطلب دعوة جديدة.',
} satisfies Translated<typeof english.signUpRule>

export const connecting = {
  signedOut: (source) => isolate`يجب تسجيل الدخول لربط ${sourceNames[source]}`,
  failed: { spotify: 'تعذّر ربط Spotify', youtube: 'تعذّر ربط YouTube Music' },
  unknownError: 'حدث خطأ غير معروف',
  spotifyConnected: 'تم ربط Spotify',
  youtubeConnected: 'تم ربط YouTube Music',
  youtubeConnectedText: 'تم الاتصال بواجهة YouTube Data API',
} satisfies Translated<typeof english.connecting>

export const signUpName = {
  label: 'الاسم',
  placeholder: 'الاسم الذي يراه الآخرون',
  hint: 'اختياري. إن تركته فارغًا يرى الآخرون الجزء الذي يسبق @ من بريدك.',
  guestHint: 'اختياري. إن تركته فارغًا تحتفظ باسمك كضيف.',
} satisfies Translated<typeof english.signUpName>

export const resetPassword = {
  forgot: 'هل نسيت كلمة المرور؟',
  title: 'تعيين كلمة مرور جديدة',
  requestText: 'أدخل البريد الإلكتروني لحسابك، وسنرسل إليك رابطًا لتعيين كلمة مرور جديدة.',
  send: 'إرسال الرابط',
  sending: 'جارٍ الإرسال',
  sent: 'إن كان هناك حساب بهذا العنوان فقد أرسلنا إليه رابطًا.',
  sentText: 'الرابط صالح لمدة ساعة. إن لم تصلك رسالة فابحث في مجلد الرسائل غير المرغوب فيها.',
  sentWithoutMail: 'لا يرسل هذا الخادم رسائل بريد: اطلب الرابط ممن يديره.',
  sendFailed: 'تعذّر إرسال الرابط. حاول مرة أخرى بعد لحظة.',
  text: 'اختر كلمة مرور جديدة لحسابك. سيُسجَّل خروجك من كل مكان.',
  newPassword: 'كلمة المرور الجديدة',
  save: 'تعيين كلمة المرور',
  saving: 'جارٍ الحفظ',
  saved: 'تم تغيير كلمة مرورك',
  savedText: 'سجّل الدخول بكلمة مرورك الجديدة.',
  saveFailed: 'تعذّر تغيير كلمة المرور. حاول مرة أخرى بعد لحظة.',
  unusable: 'انتهت صلاحية هذا الرابط أو سبق استخدامه.',
  unusableText: 'يمكننا أن نرسل إليك رابطًا جديدًا.',
  backToSignIn: 'العودة إلى تسجيل الدخول',
} satisfies Translated<typeof english.resetPassword>

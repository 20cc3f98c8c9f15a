import { limits } from '@earshot/core/limits'
import type * as english from '../profile.ts'
import type { Translated } from '../translated.ts'
import { sourceNames } from './common.ts'
import { letters } from './grammar/counted.ts'
import { isolate } from './grammar/isolate.ts'
import { locale } from './language.ts'

const dateFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric' })

const timeFormat = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

export const profile = {
  title: 'الملف الشخصي',
  needsLogin: 'يُرجى تسجيل الدخول لعرض ملفك الشخصي',
  thirdParty: 'برمجيات من أطراف أخرى',
  loadFailedTitle: 'تعذّر تحميل ملفك الشخصي',
  loadFailedText: 'تحقق من اتصالك بالإنترنت أو حاول مرة أخرى.',
  account: 'حسابك',
  displayName: 'الاسم الظاهر',
  edit: 'تعديل',
  editName: 'تعديل اسمك الظاهر',
  save: 'حفظ',
  saving: 'جارٍ الحفظ',
  cancel: 'إلغاء',
  email: 'البريد الإلكتروني',
  logOut: 'تسجيل الخروج',
  nameRequired: 'الاسم الظاهر مطلوب',
  nameTooLong: `الحد الأقصى للاسم الظاهر: ${letters(limits.displayNameMaxLength)}`,
  updated: 'تم تحديث الملف الشخصي',
  updateFailed: 'تعذّر تحديث الملف الشخصي',
  changePicture: 'تغيير الصورة',
  removePicture: 'إزالة الصورة',
  pictureUnreadable: 'تعذّرت قراءة هذه الصورة',
  pictureFormats: 'اختر صورة بصيغة JPEG أو PNG أو WebP.',
} satisfies Translated<typeof english.profile>

export const security = {
  title: 'الأمان',
  changePassword: 'تغيير كلمة المرور',
  changeText: 'تبقى مسجّل الدخول هنا، ويُسجَّل خروجك من كل مكان آخر.',
  currentPassword: 'كلمة المرور الحالية',
  newPassword: 'كلمة المرور الجديدة',
  save: 'حفظ كلمة المرور',
  saving: 'جارٍ الحفظ',
  changed: 'تم تغيير كلمة مرورك',
  changeFailed: 'تعذّر تغيير كلمة المرور. حاول مرة أخرى بعد لحظة.',
  wrongPassword: 'هذه ليست كلمة مرورك الحالية.',
  noPassword: 'ليس لهذا الحساب كلمة مرور بعد. عيّن واحدة من «هل نسيت كلمة المرور؟» في صفحة تسجيل الدخول.',
  signOutElsewhere: 'تسجيل الخروج من كل مكان آخر',
  signedOutElsewhere: 'تم تسجيل خروجك من كل مكان آخر',
  signOutFailed: 'تعذّر تسجيل خروجك من الأماكن الأخرى',
  delete: 'حذف الحساب',
  deleteTitle: 'هل تريد حذف حسابك؟',
  deleteGone:
    'سيُحذف نهائيًا ملفك الشخصي وخدماتك المرتبطة ووقت استماعك وغرفك بقوائم انتظارها ودردشاتها. وسيضطر أعضاء غرفك إلى المغادرة.',
  deleteKept: 'تبقى الرسائل التي كتبتها في غرف الآخرين هناك باسم «غير معروف».',
  deletePassword: 'كلمة مرورك',
  deleting: 'جارٍ الحذف',
  deleted: 'تم حذف حسابك',
  passwordRequired: 'كلمة المرور مطلوبة',
} satisfies Translated<typeof english.security>

export const sessions = {
  title: 'أماكن تسجيل دخولك',
  show: 'أماكن تسجيل دخولك',
  here: 'هذا الجهاز',
  device: (browser, system) => isolate`${browser} على ${system}`,
  unknownBrowser: 'برنامج آخر',
  unknownSystem: 'نظام غير معروف',
  since: (ago) => `سُجّل الدخول ${ago}`,
  signOut: 'تسجيل الخروج',
  signOutOf: (device) => isolate`تسجيل الخروج من ${device}`,
  signOutFailed: 'تعذّر تسجيل الخروج هناك',
  loadFailed: 'تعذّر تحميل جلساتك',
  loadFailedText: 'تحقق من اتصالك بالإنترنت أو حاول مرة أخرى.',
} satisfies Translated<typeof english.sessions>

export const emailChange = {
  open: 'تغيير البريد الإلكتروني',
  newEmail: 'البريد الإلكتروني الجديد',
  password: 'كلمة مرورك',
  save: 'حفظ البريد الإلكتروني',
  saving: 'جارٍ الحفظ',
  changed: 'تم تغيير بريدك الإلكتروني',
  sent: 'أرسلنا رابطًا إلى عنوانك الجديد',
  sentText: 'يتغيّر عنوانك عندما تفتح الرابط خلال ساعة في متصفح سجّلت الدخول فيه.',
  unchanged: 'لم يتغيّر بريدك الإلكتروني',
  unchangedText: 'انتهت صلاحية الرابط أو أنه تالف.',
  required: 'البريد الإلكتروني مطلوب',
  failed: 'تعذّر تغيير البريد الإلكتروني. حاول مرة أخرى بعد لحظة.',
} satisfies Translated<typeof english.emailChange>

export const stats = {
  title: 'إحصاءاتك',
  roomsCreated: 'الغرف التي أنشأتها',
  listeningTime: 'إجمالي وقت الاستماع',
  favorite: 'الخدمة المفضّلة',
  noFavorite: 'لا شيء بعد',
  duration: (minutes) => `${Math.floor(minutes / 60)} س ${Math.floor(minutes % 60)} د`,
  loadFailed: 'تعذّر تحميل إحصاءاتك',
} satisfies Translated<typeof english.stats>

export const integrations = {
  title: 'الخدمات الموسيقية',
  connected: 'مرتبط',
  notConnected: 'غير مرتبط',
  connect: 'ربط',
  connecting: 'جارٍ الربط',
  reconnect: 'إعادة الربط',
  disconnect: 'إلغاء الربط',
  disconnectFailed: (source) => isolate`تعذّر إلغاء ربط ${sourceNames[source]}`,
  disconnected: (source) => isolate`تم إلغاء ربط ${sourceNames[source]}`,
  notSetUp: (source) => isolate`لم يُعَدّ ${sourceNames[source]} على هذا الخادم.`,
  loadFailed: (source) => isolate`تعذّر تحميل حالة ${sourceNames[source]}`,
} satisfies Translated<typeof english.integrations>

export const spotify = {
  text: 'اربط حسابك للبحث في Spotify ولسماع مقاطعه باشتراك Spotify Premium.',
  connectedAs: (name) => isolate`مرتبط باسم ${name}`,
  connectedSince: (atMs) => `منذ ${dateFormat.format(atMs)}`,
  expiresSoon: (atMs) =>
    `ينهي Spotify هذا الربط في ${dateFormat.format(atMs)}، بعد ستة أشهر من موافقتك. أعد الربط للاحتفاظ به.`,
  expiresSoonUnknown: 'ينهي Spotify هذا الربط قريبًا. أعد الربط للاحتفاظ به.',
  mustReconnect: 'انتهى ربطك بـ Spotify. أعد الربط للبحث فيه وسماع مقاطعه.',
  errorTitle: 'خطأ',
} satisfies Translated<typeof english.spotify>

export const youtube = {
  text: 'تعمل مقاطع الفيديو دون حساب. يحتاج البحث إلى مفتاح من YouTube Data API.',
  usesOwnKey: 'يستخدم البحث مفتاح API الخاص بك.',
  usesServerKey: 'يستخدم البحث مفتاح هذا الخادم.',
  needsOwnKey: 'ليس لهذا الخادم مفتاح. أدخل مفتاحك للبحث في YouTube.',
  test: 'اختبار الاتصال',
  testing: 'جارٍ الاختبار',
  key: 'مفتاح API الخاص بك (اختياري)',
  keyRequired: 'مفتاح API الخاص بك',
  keyHint: 'يُفحص ويُحفظ مشفّرًا ولا يُعرض ثانيةً.',
  keyMissing: 'أدخل مفتاح API: ليس لهذا الخادم مفتاح.',
  showKey: 'إظهار المفتاح',
  hideKey: 'إخفاء المفتاح',
  failedTitle: 'فشل الاتصال',
  errorAlert: 'خطأ في الاتصال:',
  verified: 'تم التحقق بنتائج نموذجية:',
  open: 'فتح',
  openVideo: (title) => isolate`فتح ${title} على YouTube في علامة تبويب جديدة`,
  quota: 'عمليات البحث اليوم',
  quotaText: (used, limit) => `${used} من ${limit}`,
  quotaReset: (atMs) => isolate`يبدأ من جديد في ${timeFormat.format(atMs)}`,
} satisfies Translated<typeof english.youtube>

export const preferences = {
  title: 'تفضيلات الموسيقى',
  source: 'مصدر الموسيقى الافتراضي:',
  sourceHint: 'تبدأ به الغرف وعمليات البحث الجديدة.',
  notSetUp: 'لم يُعَدّ على هذا الخادم',
  updated: 'تم تحديث التفضيل',
  sourceSet: (source) => isolate`مصدر الموسيقى الافتراضي: ${sourceNames[source]}`,
  matchElsewhere: 'عرض المقاطع التي لا يمكنني تشغيلها من مصدر آخر',
  matchElsewhereHint: 'إذا تعذّر عليك تشغيل مقطع، يعرض عليك Earshot الأغنية نفسها من مصدر آخر، لك وحدك.',
  matchElsewhereOn: 'تُعرض المقاطع التي لا يمكنك تشغيلها من مصدر آخر',
  matchElsewhereOff: 'لم تعد المقاطع التي لا يمكنك تشغيلها تُعرض من مصدر آخر',
} satisfies Translated<typeof english.preferences>

export const callback = {
  title: 'ربط Spotify',
  loading: 'جارٍ معالجة الربط...',
  success: 'تم ربط Spotify بنجاح!',
  redirecting: 'جارٍ إعادتك إلى ملفك الشخصي...',
  error: 'خطأ في ربط Spotify',
  returnToProfile: 'العودة إلى الملف الشخصي',
  logs: 'سجل الربط',
  noCode: 'لم يصل رمز تفويض من Spotify',
  authorizationError: (error) => isolate`خطأ تفويض من Spotify: ${error}`,
  failed: 'تعذّر الربط مع Spotify. التفاصيل في السجل.',
  unknownError: 'حدث خطأ غير معروف',
  log: {
    returned: 'عدت من Spotify',
    error: (error) => isolate`أبلغ Spotify: ${error}`,
    noCode: 'لا يحتوي العنوان على رمز تفويض',
    noState: 'لا يحتوي العنوان على حالة، فهو لا ينتمي إلى ربط بدأته',
    signedOut: 'لم تسجّل الدخول',
    received: 'وصل رمز التفويض',
    sending: 'جارٍ إرسال الرمز إلى الخادم',
    failed: (message) => isolate`تعذّر على الخادم ربط Spotify: ${message}`,
    connected: 'الخادم مرتبط بحسابك في Spotify',
  },
} satisfies Translated<typeof english.callback>

export const authLink = {
  title: 'رابط تفويض Spotify',
  text: 'للمشغّلين: يفحص إعدادات تطبيق Spotify. لا تربط هذه الصفحة أي حساب.',
  clientId: 'معرّف العميل',
  redirectUri: 'عنوان إعادة التوجيه',
  redirectHint: isolate`كما هو تمامًا في لوحة ${'Spotify'}. يرفض ${'Spotify'} «${'localhost'}»: استخدم ${'127.0.0.1'}.`,
  generate: 'إنشاء الرابط',
  url: 'رابط التفويض',
  copy: 'نسخ',
  copied: 'تم نسخ رابط التفويض',
  copyFailed: 'لم يسمح المتصفح بالنسخ. حدّد العنوان وانسخه.',
  open: 'فتح الرابط',
  clientIdRequired: 'معرّف العميل مطلوب',
  redirectUriRequired: 'عنوان إعادة التوجيه مطلوب',
  failed: 'تعذّر إنشاء الرابط',
  failedText: 'يجب أن يبدأ عنوان إعادة التوجيه بـ https://‎ أو http://‎.',
} satisfies Translated<typeof english.authLink>

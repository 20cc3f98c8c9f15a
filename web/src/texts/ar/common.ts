import type * as english from '../common.ts'
import type { Translated } from '../translated.ts'
import { isolate } from './grammar/isolate.ts'

export const productName = 'Earshot'

export const sourceNames = {
  library: 'المكتبة',
  spotify: 'Spotify',
  youtube: 'YouTube',
} satisfies Translated<typeof english.sourceNames>

export const common = {
  close: 'إغلاق',
  loading: 'جارٍ التحميل',
  unknownUser: 'غير معروف',
  unexpectedTitle: 'حدث خطأ ما',
  unexpectedText: 'تعذّر عرض هذه الصفحة. أعد تحميلها للمحاولة مرة أخرى.',
  unloadedTitle: 'تعذّر تحميل هذا الجزء',
  unloadedText: 'تحقّق من اتصالك وأعد تحميل الصفحة. قد تكون هناك أيضًا نسخة جديدة من Earshot.',
  reload: 'إعادة التحميل',
  tryAgain: 'إعادة المحاولة',
  pageNotFound: 'الصفحة غير موجودة',
  pageNotFoundText: 'لا يوجد شيء في هذا العنوان.',
  returnHome: 'العودة إلى الرئيسية',
  skipToContent: 'الانتقال إلى المحتوى',
  notifications: 'الإشعارات',
} satisfies Translated<typeof english.common>

export const update = {
  title: 'تتوفّر نسخة جديدة',
  later: 'لاحقًا',
} satisfies Translated<typeof english.update>

export const splash = { text: 'جارٍ تحميل موسيقاك...' } satisfies Translated<typeof english.splash>

export const topBar = {
  navigation: 'القائمة الرئيسية',
  home: 'الرئيسية',
  explore: 'استكشاف الغرف',
  profile: 'الملف الشخصي',
  administration: 'الإدارة',
  createRoom: 'إنشاء غرفة',
  signIn: 'تسجيل الدخول',
  logout: 'تسجيل الخروج',
  openMenu: 'فتح القائمة',
  closeMenu: 'إغلاق القائمة',
  accountMenu: (name) => isolate`حساب ${name}`,
  useLightMode: 'التبديل إلى المظهر الفاتح',
  useDarkMode: 'التبديل إلى المظهر الداكن',
} satisfies Translated<typeof english.topBar>

export const authentication = {
  requiredWarning: 'يلزم تسجيل الدخول',
  requiredNotice: 'يلزم تسجيل الدخول',
  joinNeedsLogin: 'يُرجى تسجيل الدخول للانضمام إلى غرفة',
  welcome: (name) => isolate`مرحبًا، ${name}`,
  signedIn: 'تم تسجيل الدخول',
  signedOut: 'تم تسجيل خروجك',
  sessionEnded: 'انتهت جلستك',
  signOutFailed: 'تعذّر تسجيل الخروج',
  unreadableTitle: 'تعذّر التحقق من تسجيل دخولك',
  unreadableText: 'تحقق من اتصالك بالإنترنت أو حاول مرة أخرى.',
  sessionErrorTitle: 'خطأ في تسجيل الدخول',
  sessionErrorText: 'تعذّر الاتصال بخدمة تسجيل الدخول. قد لا تتوفر بعض الميزات.',
} satisfies Translated<typeof english.authentication>

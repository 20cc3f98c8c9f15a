import type * as english from '../common.ts'
import type { Translated } from '../translated.ts'
import { isolate } from './isolate.ts'

export const productName = 'Earshot'

export const sourceNames = {
  library: 'المكتبة',
  spotify: 'Spotify',
  youtube: 'YouTube',
} satisfies Translated<typeof english.sourceNames>

export const errorTexts = {
  unauthenticated: 'لم تسجّل الدخول',
  origin_refused: 'لا يقبل هذا الخادم هذا العنوان. يمكن لمشغّله السماح به بالإعداد PUBLIC_URL.',
  client_key_required: 'لا يملك هذا التطبيق مفتاحًا صالحًا لهذا الخادم.',
  sign_up_closed: 'لا يقبل هذا الخادم حسابات جديدة.',
  invite_required: 'إنشاء الحساب بدعوة فقط، وهذه الدعوة مفقودة أو مستنفدة أو منتهية.',
  name_taken: 'هذا الاسم مستخدَم. اختر اسمًا آخر.',
  account_disabled: 'هذا الحساب معطَّل. تواصل مع مدير هذا الخادم.',
  not_admin: 'هذا متاح للمدير فقط.',
  wrong_code: 'هذا الرمز خاطئ أو منتهي الصلاحية.',
  library_closed: 'مكتبة هذا الخادم للأعضاء المدعوّين.',
  room_not_found: 'الغرفة غير موجودة',
  track_not_found: 'لم يعد هذا المقطع متاحًا.',
  queue_entry_not_found: 'لم يعد هذا المقطع في قائمة الانتظار.',
  not_a_member: 'انضم إلى الغرفة أولًا.',
  not_owner: 'هذا متاح لمالك الغرفة فقط.',
  banned: 'حظرك مالك هذه الغرفة منها.',
  not_your_entry: 'في هذه الغرفة يمكنك إزالة ما أضفته بنفسك فقط.',
  password_required: 'تتطلب هذه الغرفة كلمة مرور.',
  wrong_password: 'كلمة المرور خاطئة. حاول مرة أخرى.',
  account_required: 'هذا غير متاح للضيوف. أنشئ حسابًا أولًا.',
  guests_not_admitted: 'لا تقبل هذه الغرفة ضيوفًا دون رابط دعوة.',
  guests_cannot_chat: 'لا يمكن للضيوف الدردشة في هذه الغرفة.',
  no_track: 'لا يعمل أي مقطع.',
  queue_full: 'قائمة الانتظار ممتلئة.',
  too_many_rooms: 'لديك غرف كثيرة جدًا. احذف واحدة أولًا.',
  source_unavailable: 'هذا المصدر غير متاح على هذا الخادم.',
  not_connected: 'اربط حسابك أولًا.',
  must_reconnect: 'انتهى ربط حسابك. اربطه من جديد.',
  provider_failed: 'لم يستجب مزوّد الخدمة. حاول مرة أخرى بعد لحظة.',
  provider_limit: 'بلغت الحد الذي يسمح به مزوّد الخدمة. حاول لاحقًا.',
  link_not_supported: 'يمكن إضافة روابط المقاطع وقوائم التشغيل من YouTube وSpotify فقط.',
  invalid_input: 'رفض الخادم هذا الطلب لأنه غير صالح.',
  payload_too_large: 'هذا طويل جدًا.',
  unknown_event: 'لا يدعم الخادم هذا.',
  not_found: 'غير موجود.',
  rate_limited: 'طلبات كثيرة جدًا. انتظر لحظة ثم حاول مرة أخرى.',
  unavailable: 'الخادم غير متاح حاليًا.',
  internal: 'حدث خطأ في الخادم.',
} satisfies Translated<typeof english.errorTexts>

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
  partFailed: 'تعذّر عرض هذا الجزء',
  pageNotFound: 'الصفحة غير موجودة',
  pageNotFoundText: 'لا يوجد شيء في هذا العنوان.',
  returnHome: 'العودة إلى الرئيسية',
  skipToContent: 'الانتقال إلى المحتوى',
  notifications: 'الإشعارات',
} satisfies Translated<typeof english.common>

export const roomClosed = {
  title: (room) => (room === null ? 'أُغلقت هذه الغرفة' : isolate`أُغلقت «${room}»`),
  text: 'حُذفت الغرفة. يمكنك الانضمام إلى غرفة أخرى أو إنشاء غرفة.',
} satisfies Translated<typeof english.roomClosed>

export const update = {
  title: 'تتوفّر نسخة جديدة',
  reload: 'إعادة التحميل',
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
  createNeedsLogin: 'يُرجى تسجيل الدخول لإنشاء غرفة',
  welcome: (name) => isolate`مرحبًا، ${name}`,
  signedOut: 'تم تسجيل خروجك',
  signOutFailed: 'تعذّر تسجيل الخروج',
  unreadableTitle: 'تعذّر التحقق من تسجيل دخولك',
  unreadableText: 'تحقق من اتصالك بالإنترنت أو حاول مرة أخرى.',
  sessionErrorTitle: 'خطأ في تسجيل الدخول',
  sessionErrorText: 'تعذّر الاتصال بخدمة تسجيل الدخول. قد لا تتوفر بعض الميزات.',
} satisfies Translated<typeof english.authentication>

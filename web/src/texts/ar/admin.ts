import type * as english from '../admin.ts'
import { formatBytes, splitDuration } from '../grammar/amounts.ts'
import type { Translated } from '../translated.ts'
import { members, plural, tracks } from './grammar/counted.ts'
import { inMs, isolate } from './grammar/isolate.ts'
import { locale } from './language.ts'

export const admin = {
  title: 'الإدارة',
  needsLogin: 'يرجى تسجيل الدخول لإدارة هذا الخادم',
  sections: 'الأقسام',
  overview: 'نظرة عامة',
  users: 'المستخدمون',
  rooms: 'الغرف',
  invites: 'الدعوات',
  library: 'المكتبة',
  loadFailed: 'تعذّر التحميل',
  loadFailedText: 'تحقق من اتصالك بالإنترنت أو حاول مرة أخرى.',
  failed: 'لم ينجح هذا',
  search: 'بحث',
  more: 'عرض المزيد',
  total: (count) => `المجموع: ${count.toLocaleString(locale)}`,
  cancel: 'إلغاء',
  copy: 'نسخ الرابط',
  copied: 'تم نسخ الرابط',
  copyFailed: 'تعذّر نسخ الرابط. يُرجى نسخه يدويًا.',
  created: (ago) => `أُنشئت ${ago}`,
  actionsOf: (name) => isolate`إجراءات ${name}`,
} satisfies Translated<typeof english.admin>

export const adminCode = {
  title: 'تولّي إدارة الخادم',
  text: 'ليس لهذا الخادم مدير بعد. أدخل رمز المرة الواحدة الذي سجّله عند بدء التشغيل. للحصول على رمز جديد نفّذ على الخادم:',
  command: 'npm run admin -- code',
  code: 'الرمز',
  placeholder: 'ABCD-EFGH-JKMN',
  submit: 'متابعة',
  checking: 'جارٍ التحقق',
  required: 'أدخل الرمز',
  done: 'أنت الآن مدير الخادم',
} satisfies Translated<typeof english.adminCode>

export const adminUsers = {
  searchFor: 'البحث عن مستخدمين بالاسم أو البريد',
  none: 'لم يُعثر على مستخدمين',
  admin: 'مدير',
  disabled: 'معطَّل',
  library: 'المكتبة',
  seen: (ago) => `آخر ظهور ${ago}`,
  neverSeen: 'لم يسجّل الدخول',
  disable: 'تعطيل',
  enable: 'تفعيل',
  makeAdmin: 'منح الإدارة',
  removeAdmin: 'سحب الإدارة',
  giveLibrary: 'السماح بالمكتبة',
  takeLibrary: 'سحب الوصول إلى المكتبة',
  resetLink: 'إنشاء رابط كلمة مرور جديدة',
  resetTitle: (name) => isolate`كلمة مرور جديدة لـ ${name}`,
  resetText: 'أعطِ هذا الرابط لصاحب الحساب فقط. يعيّن كلمة مرور جديدة مرة واحدة خلال ساعة.',
  disableTitle: (name) => isolate`هل تريد تعطيل ${name}؟`,
  disableText: 'يُسجَّل خروجه فورًا من كل مكان، ولا يمكنه الدخول حتى تفعّل الحساب من جديد.',
  delete: 'حذف',
  deleteTitle: (name) => isolate`هل تريد حذف ${name}؟`,
  deleteText: 'سيُحذف الحساب وملفه الشخصي وغرفه نهائيًا، وتبقى رسائله في الغرف الأخرى.',
} satisfies Translated<typeof english.adminUsers>

export const adminRooms = {
  searchFor: 'البحث عن غرف بالاسم',
  none: 'لم يُعثر على غرف',
  private: 'خاصة',
  owner: (name) => isolate`المالك: ${name}`,
  members: (count) => members(count),
  rename: 'إعادة تسمية',
  renameTitle: 'إعادة تسمية الغرفة',
  name: 'اسم الغرفة',
  save: 'حفظ',
  nameRequired: 'اسم الغرفة مطلوب',
  delete: 'حذف',
  deleteTitle: (name) => isolate`هل تريد حذف ${name}؟`,
  deleteText: 'ستُحذف الغرفة وقائمة انتظارها ودردشتها نهائيًا، وسيضطر أعضاؤها إلى المغادرة.',
} satisfies Translated<typeof english.adminRooms>

export const adminInvites = {
  text: 'يمكن لمن لديه رابط دعوة إنشاء حساب على هذا الخادم.',
  note: 'لمن (اختياري)',
  uses: 'عدد الحسابات',
  days: 'مدة الصلاحية بالأيام',
  usesWrong: 'من 1 إلى 1000',
  daysWrong: 'من 1 إلى 365',
  library: 'تتيح الوصول إلى المكتبة',
  libraryHint: 'يهم ذلك إذا كانت مكتبة هذا الخادم للأعضاء المدعوّين فقط.',
  create: 'إنشاء دعوة',
  linkTitle: 'رابط الدعوة',
  linkText: 'يُعرض الآن فقط. شاركه كما تريد.',
  none: 'لا دعوات',
  noneText: 'تظهر هنا الدعوات التي تنشئها حتى تنتهي صلاحيتها.',
  untitled: 'بلا ملاحظة',
  used: (uses, maxUses) => `استُخدمت ${uses} من ${maxUses}`,
  expires: (day) => isolate`تنتهي ${day}`,
  revoke: 'إلغاء الدعوة',
  revokeOf: (note) => isolate`إلغاء الدعوة «${note}»`,
} satisfies Translated<typeof english.adminInvites>

export const adminLibrary = {
  scan: 'الفحص الآن',
  scanning: 'جارٍ الفحص',
  tracks: (count) => tracks(count),
  upToDate: 'المكتبة محدَّثة.',
  isScanning: 'جارٍ فحص مجلد الموسيقى. تظهر المقاطع الجديدة فور العثور عليها.',
  problems: (count) =>
    plural(count, {
      zero: 'كل الملفات قابلة للاستخدام',
      one: 'ملف واحد غير قابل للاستخدام',
      two: 'ملفان غير قابلين للاستخدام',
      few: '# ملفات غير قابلة للاستخدام',
      many: '# ملفًا غير قابل للاستخدام',
      other: '# ملف غير قابل للاستخدام',
    }),
  firstProblems: (count) => `يُعرض أول ${count} منها.`,
  noProblems: 'كل الملفات قابلة للاستخدام.',
} satisfies Translated<typeof english.adminLibrary>

export const figures = {
  now: 'الآن',
  storage: 'التخزين',
  members: 'الأعضاء في الغرف',
  sockets: 'الاتصالات',
  rooms: 'الغرف',
  users: 'المستخدمون',
  memory: 'الذاكرة',
  uptime: 'مدة التشغيل',
  delay: 'تأخر حلقة الأحداث (99٪)',
  version: 'الإصدار',
  database: 'قاعدة البيانات',
  covers: 'الأغلفة',
  cache: 'فهارس الملفات الصوتية',
  copies: 'النسخ والنسخ الاحتياطية والرسائل',
  free: 'المساحة الخالية',
  none: '--',
  ms: (ms) => inMs(ms.toFixed(1)),
  bytes: (bytes) => isolate`${formatBytes(bytes, locale)}`,
  duration: (ms) => {
    const { days, hours, minutes } = splitDuration(ms)
    return days > 0 ? `${days} ي ${hours} س` : `${hours} س ${minutes} د`
  },
} satisfies Translated<typeof english.figures>

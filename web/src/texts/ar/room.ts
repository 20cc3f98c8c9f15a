import type * as english from '../room.ts'
import type { Translated } from '../translated.ts'
import { members as countedMembers, others, plural } from './grammar/counted.ts'
import { isolate } from './grammar/isolate.ts'

export const room = {
  title: 'الغرفة',
  loading: 'جارٍ تحميل الغرفة...',
  notFoundTitle: 'الغرفة غير موجودة',
  notFoundText: 'الغرفة التي تبحث عنها غير موجودة، أو ليس لديك إذن بالانضمام إليها.',
  returnHome: 'العودة إلى الرئيسية',
  connectingTitle: 'جارٍ تحميل الغرفة...',
  connectingText: 'جارٍ الاتصال بخادم الغرف...',
  connectingHint: 'إذا استغرق هذا وقتًا فتحقق من اتصالك بالإنترنت أو حاول مرة أخرى.',
  retryConnection: 'إعادة الاتصال',
  reconnectingNotice: 'جارٍ إعادة الاتصال',
  joinFailedTitle: 'خطأ في الانضمام إلى الغرفة',
  joinFailedText: 'تعذّر الانضمام إلى الغرفة. يُرجى المحاولة مرة أخرى.',
  screenFailedTitle: 'تعذّر عرض الغرفة',
  screenFailedText: 'الموسيقى مستمرة.',
  partFailed: 'تعذّر عرض هذا الجزء',
  memberCount: (count) => countedMembers(count),
  owner: 'المالك',
  sideColumn: 'قائمة الانتظار والموسيقى والدردشة',
  ownerIsYou: 'أنت',
  offline: 'أنت غير متصل. تستمر الموسيقى ما دامت محمّلة مسبقًا.',
  reconnecting: 'انقطع الاتصال. جارٍ إعادة الاتصال...',
  connectionDisabled: 'تعذّر الوصول إلى خادم الغرف.',
  commandFailedTitle: 'خطأ',
  inRoom: 'في',
  lostTitle: 'لم تعد في الغرفة',
  lostText: 'أُغلقت الغرفة، أو لم يعد لديك إذن بالانضمام إليها.',
} satisfies Translated<typeof english.room>

export const roomClosed = {
  title: (room) => (room === null ? 'أُغلقت هذه الغرفة' : isolate`أُغلقت «${room}»`),
  text: 'حُذفت الغرفة. يمكنك الانضمام إلى غرفة أخرى أو إنشاء غرفة.',
} satisfies Translated<typeof english.roomClosed>

export const invite = {
  open: 'دعوة',
  title: 'دعوة أشخاص',
  link: 'رابط هذه الغرفة',
  copy: 'نسخ الرابط',
  copied: 'تم نسخ الرابط',
  copiedText: 'شاركه مع من تريد دعوتهم.',
  copyFailed: 'تعذّر نسخ الرابط',
  copyFailedText: 'الرابط محدد الآن ويمكنك نسخه يدويًا.',
  share: 'مشاركة',
  code: 'رمز QR للرابط',
  publicText: 'يمكن لكل من لديه حساب وهذا الرابط الانضمام.',
  openText: 'يمكن لأي شخص لديه هذا الرابط الاستماع دون حساب.',
  guestText: (date) => isolate`يمكن لأي شخص لديه هذا الرابط الاستماع حتى ${date} دون حساب.`,
  accountText: (date) => isolate`يمكن لأي شخص لديه هذا الرابط وحساب الانضمام دون كلمة مرور حتى ${date}.`,
  ownerText: (date) => isolate`يمكن لأي شخص لديه هذا الرابط الانضمام دون كلمة مرور حتى ${date}.`,
  memberText: 'من يفتح هذا الرابط يُطلب منه إدخال كلمة المرور. يمكن للمالك إنشاء رابط لا يحتاج إليها.',
  createFailedPublic: 'تعذّر إنشاء رابط دعوة. مع هذا الرابط يلزم حساب.',
  createFailed: 'تعذّر إنشاء رابط دعوة. هذا الرابط يطلب كلمة المرور.',
  once: 'لشخص واحد',
  onceHint: 'يقبل الرابط أول شخص ينضم به.',
  onceText: (date) => isolate`يُقبل أول شخص ينضم بهذا الرابط حتى ${date}.`,
  revoke: 'إنهاء كل الروابط',
  revoked: 'لم تعد الروابط السابقة صالحة',
  revokedText: 'من انضم سابقًا يبقى مقبولًا.',
  revokeFailed: 'تعذّر إنهاء الروابط. يُرجى المحاولة مرة أخرى.',
} satisfies Translated<typeof english.invite>

export const members = {
  title: 'أعضاء الغرفة',
  online: (count) => `المتصلون: ${count}`,
  none: 'لا أعضاء متصلين',
  owner: 'المالك',
  you: 'أنت',
  more: others,
} satisfies Translated<typeof english.members>

export const roomTabs = {
  label: 'الغرفة',
  queue: 'قائمة الانتظار',
  findMusic: 'البحث',
  chat: 'الدردشة',
  unread: (count) => `غير مقروءة: ${count}`,
  changed: 'تغيّرت',
} satisfies Translated<typeof english.roomTabs>

export const keyboard = {
  title: 'لوحة المفاتيح',
  open: 'اختصارات لوحة المفاتيح',
  switch: 'اختصارات المفتاح الواحد',
  switchHint: 'عند الإيقاف لا تفعل المفاتيح شيئًا ما لم يكن زر أو حقل محددًا. يتذكر هذا الجهاز الإعداد.',
  keys: [
    { key: 's', does: 'مزامنة صوتك مع الغرفة' },
    { key: 'المسافة', does: 'تشغيل أو إيقاف مؤقت إذا كان التحكم لديك' },
    { key: 'm', does: 'كتم الصوت أو تشغيله' },
    { key: 'f', does: 'وضع الاستماع' },
    { key: '/', does: 'البحث عن موسيقى' },
    { key: '1 – 6', does: 'التفاعل مع الموسيقى' },
    { key: '↑ ↓', does: 'التنقل في قائمة' },
    { key: '?', does: 'عرض هذه القائمة' },
  ],
} satisfies Translated<typeof english.keyboard>

export const reactions = {
  title: 'التفاعلات',
  names: {
    love: 'أحببته',
    fire: 'نار',
    party: 'احتفال',
    laugh: 'هاها',
    wow: 'واو',
    thumbs_up: 'إعجاب',
  },
  summary: (count) =>
    plural(count, {
      zero: 'لا تفاعلات',
      one: 'تفاعل واحد',
      two: 'تفاعلان',
      few: '# تفاعلات',
      many: '# تفاعلًا',
      other: '# تفاعل',
    }),
  failedTitle: 'خطأ',
  failedText: 'تعذّر إرسال تفاعلك.',
} satisfies Translated<typeof english.reactions>

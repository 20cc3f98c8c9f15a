import type * as english from '../moderation.ts'
import type { Translated } from '../translated.ts'
import { isolate } from './grammar/isolate.ts'

export const removal = {
  kick: 'إزالة من الغرفة',
  ban: 'حظر من الغرفة',
  kicked: (name) => isolate`تمت إزالة ${name}`,
  banned: (name) => isolate`تم حظر ${name}`,
  banTitle: (name) => isolate`هل تريد حظر ${name}؟`,
  banText: 'سيغادر الآن ولن يتمكن من الانضمام ثانيةً حتى برابط دعوة، إلى أن ترفع الحظر.',
  banGuestText:
    'سيغادر الآن ولن يتمكن من الانضمام ثانيةً. ولمدة يوم لن يتمكن ضيوف آخرون من شبكته من الانضمام أيضًا.',
  removeContent: 'إزالة مقاطعه من قائمة الانتظار ورسائله أيضًا',
  confirmBan: 'حظر',
  cancel: 'إلغاء',
  failedTitle: 'خطأ',
  bans: (count) => `المحظورون (${count})`,
  bansFailed: 'تعذّر تحميل قائمة المحظورين',
  lift: 'رفع الحظر',
  liftFor: (name) => isolate`رفع الحظر عن ${name}`,
  deleteMessage: 'حذف الرسالة',
  deleteTitle: 'هل تريد حذف هذه الرسالة؟',
  deleteText: 'ستختفي لدى كل من في الغرفة.',
  confirmDelete: 'حذف',
} satisfies Translated<typeof english.removal>

import type * as english from '../playlist-import.ts'
import type { Translated } from '../translated.ts'
import { ofTracks, plural, tracks } from './grammar/counted.ts'
import { isolate } from './grammar/isolate.ts'

export const playlistImport = {
  chooseTracks: 'اختيار المقاطع',
  tracks: (count) => tracks(count),
  by: (owner) => isolate`من ${owner}`,
  list: 'مقاطع قائمة التشغيل',
  failed: 'تعذّر تحميل قائمة التشغيل',
  empty: 'لا تحتوي قائمة التشغيل هذه على مقاطع يمكن إضافتها',
  loadingRest: (loaded, total) =>
    total === null ? `جارٍ التحميل: ${tracks(loaded)} حتى الآن...` : `جارٍ التحميل: ${loaded} من ${total}...`,
  restFailed: 'تعذّر تحميل بعض المقاطع.',
  loadRest: 'تحميل الباقي',
  cutOff: (count) => `تُعرض أول ${ofTracks(count)} فقط: لا تتسع قائمة الانتظار لأكثر من ذلك.`,
  skipped: (count) =>
    plural(count, {
      zero: 'يمكن إضافة كل العناصر',
      one: 'لا يمكن إضافة عنصر واحد',
      two: 'لا يمكن إضافة عنصرين',
      few: 'لا يمكن إضافة # عناصر',
      many: 'لا يمكن إضافة # عنصرًا',
      other: 'لا يمكن إضافة # عنصر',
    }),
  selectAll: 'تحديد الكل',
  selectNone: 'إلغاء التحديد',
  selected: (count) => `المحدد: ${count}`,
  showMore: (count) =>
    plural(count, {
      zero: 'عرض # مقطع آخر',
      one: 'عرض مقطع آخر',
      two: 'عرض مقطعين آخرين',
      few: 'عرض # مقاطع أخرى',
      many: 'عرض # مقطعًا آخر',
      other: 'عرض # مقطع آخر',
    }),
  add: (count) => `إضافة ${ofTracks(count)}`,
  adding: (done, total) => `جارٍ الإضافة: ${done} من ${total}...`,
  progress: 'المقاطع المضافة',
  cancel: 'إلغاء',
  cancelling: 'جارٍ الإيقاف...',
  done: (count) => `أُضيف إلى قائمة الانتظار: ${tracks(count)}`,
  stopped: (waiting) => `لم يُضف بعد: ${tracks(waiting)}`,
  refused: (count) => `تعذّرت إضافة ${ofTracks(count)}`,
  retry: (count) => `إعادة محاولة ${ofTracks(count)}`,
  resume: (count) => (count === 1 ? 'إضافة المقطع الأخير' : `إضافة البقية (${count})`),
  outcomes: {
    added: 'أُضيف',
    already_added: 'موجود في قائمة الانتظار',
    not_found: 'غير موجود',
    not_playable: 'لا يعمل في الغرف',
    queue_full: 'قائمة الانتظار ممتلئة',
    too_many_waiting: 'لديك مقاطع كثيرة في الانتظار',
  },
  waiting: 'قيد الانتظار',
  otherOutcome: 'لم يُضف',
} satisfies Translated<typeof english.playlistImport>

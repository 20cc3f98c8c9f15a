import type * as english from '../library.ts'
import type { Translated } from '../translated.ts'
import { ofTracks, tracks } from './grammar/counted.ts'
import { isolate } from './grammar/isolate.ts'

export const library = {
  title: 'المكتبة',
  recent: 'أُضيفت حديثًا',
  albums: 'الألبومات',
  artists: 'الفنانون',
  back: 'رجوع',
  jump: 'البدء من',
  fromStart: 'الكل',
  unknownArtist: 'فنان غير معروف',
  openArtist: (name) => isolate`فتح ${name}`,
  addAlbum: 'إضافة الألبوم',
  addRest: (count) => `إضافة البقية: ${ofTracks(count)}`,
  tracksOf: (title) => isolate`مقاطع ${title}`,
  trackCount: (count) => tracks(count),
  disc: (number) => `القرص ${number}`,
  albumsOf: (name) => isolate`ألبومات ${name}`,
  otherTracks: 'مقاطع أخرى',
  showMore: (count) => `عرض المزيد (${count})`,
  loading: 'جارٍ التحميل...',
  failed: 'تعذّر تحميل المكتبة',
  failedText: 'تحقّق من اتصالك ثم حاول مرة أخرى.',
  restFailed: 'تعذّر تحميل البقية.',
  recentFailed: 'تعذّر تحميل ما أُضيف حديثًا.',
  notFound: 'لم يعد هذا في المكتبة',
  retry: 'حاول مرة أخرى',
  empty: 'لا توجد ألبومات في المكتبة بعد',
  emptyText: 'تظهر الألبومات هنا عندما تذكرها الملفات في مجلد الموسيقى.',
  nothingFrom: (letter) => isolate`لا شيء ابتداءً من ${letter}`,
  queueFull: (max) => `قائمة الانتظار ممتلئة: تتسع لـ ${ofTracks(max)}.`,
} satisfies Translated<typeof english.library>

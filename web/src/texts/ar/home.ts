import type * as english from '../home.ts'
import type { Translated } from '../translated.ts'
import { isolate } from './grammar/isolate.ts'
import { plural } from './grammar/counted.ts'

export const home = {
  title: 'الغرف المتاحة',
  onlyOwn: 'لا توجد غرف مفتوحة لآخرين الآن.',
  ownRooms: 'غرفك',
  heroTitle: ['غرفة واحدة.', 'أغنية واحدة.', 'الثانية نفسها.'],
  heroText: 'افتح غرفة وشارك الرابط واضغط تشغيل. يسمع الجميع الموسيقى نفسها في اللحظة نفسها.',
  createRoom: 'إنشاء غرفة',
  myProfile: 'ملفي الشخصي',
  searchRooms: 'ابحث عن غرف...',
  searchLabel: 'البحث عن غرف',
  clearSearch: 'مسح البحث',
  publicRoom: 'غرفة عامة',
  privateRoom: 'غرفة خاصة',
  listeners: (count) =>
    plural(count, {
      zero: 'لا مستمعين',
      one: 'مستمع واحد',
      two: 'مستمعان',
      few: '# مستمعين',
      many: '# مستمعًا',
      other: '# مستمع',
    }),
  showMore: 'عرض المزيد من الغرف',
  joinRoom: 'انضمام',
  joinRoomNamed: (name) => isolate`الانضمام إلى الغرفة: ${name}`,
  nothingPlaying: 'لا شيء يعمل بعد',
  hiddenTrack: 'استماع خاص',
  paused: 'متوقف مؤقتًا',
  playing: 'يعمل الآن',
  empty: 'لا توجد غرف متاحة',
  emptyText: 'أنشئ غرفة جديدة للبدء',
  noMatch: (query) => isolate`لا توجد غرف تطابق «${query}»`,
  errorTitle: 'خطأ في تحميل الغرف',
  errorToast: 'تعذّر تحميل الغرف المتاحة. يُرجى المحاولة مرة أخرى.',
  errorText: 'تعذّر تحميل الغرف. يُرجى المحاولة لاحقًا.',
  refresh: 'تحديث',
} satisfies Translated<typeof english.home>

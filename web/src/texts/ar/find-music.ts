import { limits } from '@earshot/core/limits'
import type { Source } from '@earshot/core/protocol/entities'
import type * as english from '../find-music.ts'
import type { Translated } from '../translated.ts'
import { sourceNames } from './common.ts'
import { ofPeople } from './grammar/counted.ts'
import { isolate } from './grammar/isolate.ts'

export const findMusic = {
  title: 'البحث عن موسيقى',
  source: 'المصدر',
  placeholder: 'ابحث عن موسيقى...',
  searchLabel: 'البحث عن موسيقى',
  search: 'بحث',
  hint: (source) => isolate`البحث في ${source} – اضغط Enter للبحث`,
  results: 'النتائج – انقر + للإضافة إلى قائمة الانتظار',
  browse: 'من المكتبة – انقر + للإضافة إلى قائمة الانتظار',
  noResults: 'لا توجد نتائج',
  noResultsText: 'تحقق من الإملاء، أو جرّب اسم الفنان بدلًا من العنوان.',
  emptyLibrary: 'لا موسيقى في المكتبة بعد',
  emptyLibraryText: 'تظهر هنا الموسيقى التي تُضاف إلى مجلد الموسيقى على هذا الخادم.',
  add: (title) => isolate`إضافة ${title} إلى قائمة الانتظار`,
  more: 'عرض المزيد',
  failedTitle: 'فشل البحث',
  failedText: 'تعذّر البحث عن مقاطع. يُرجى المحاولة مرة أخرى.',
  failedInList: 'فشل البحث',
  retry: 'إعادة المحاولة',
  searchFirst: (source) => isolate`ابحث في ${source} عن عنوان أو فنان، أو الصق رابطًا.`,
  linksOnlyPlaceholder: (source) => isolate`الصق رابط ${source}`,
  linksOnly: (source) => isolate`الصق رابطًا من ${source}`,
  linksOnlyText: (source) =>
    isolate`لا يمكن لهذا الخادم البحث في ${source}، لكن روابط الفيديو وقوائم التشغيل تعمل.`,
  searchNeedsAccount: (source) => isolate`سجّل الدخول للبحث في ${source}`,
  linksWorkForGuests: 'روابط الفيديو وقوائم التشغيل تعمل دون حساب.',
  notConnected: (source) => isolate`اربط ${source} في ملفك الشخصي للبحث فيه`,
  mustReconnect: (source) => isolate`انتهى ربطك بـ ${source}`,
  mustReconnectText: (source) => isolate`اربط ${source} في ملفك الشخصي من جديد للبحث فيه.`,
  paused: (source) => isolate`لا مزيد من البحث في ${source} حاليًا`,
  pausedUntil: (time) => isolate`بلغت الحد. يعود البحث في الساعة ${time}؛ والروابط ما زالت تعمل.`,
  pausedText: 'بلغت الحد. حاول لاحقًا؛ والروابط ما زالت تعمل.',
  searchesLeft: (left, limit) => `عمليات البحث المتبقية اليوم: ${left} من ${limit}`,
  linkResult: 'من رابطك – انقر + للإضافة إلى قائمة الانتظار',
  linkFailed: 'تعذّر فتح هذا الرابط',
  linksOmitted: (shown, count) => `أول ${shown} من أصل ${count} من الروابط. الصق البقية لاحقًا.`,
  tooLong: 'هذا النص أطول من أن يُبحث عنه',
  tooLongText: `ابحث عن عنوان أو فنان بما لا يزيد على ${limits.searchQueryMaxLength} من المحارف.`,
  restricted: {
    not_embeddable: 'لا يعمل هنا: لا يسمح به صاحبه على مواقع أخرى',
    age_restricted: 'لا يعمل هنا: مقيَّد بالعمر',
    live: 'لا يعمل هنا: بث مباشر',
    removed: 'لا يعمل هنا: لم يعد متاحًا',
  },
  restrictedOther: 'لا يعمل هنا',
  playlists: 'قوائم تشغيلك في Spotify',
  noPlaylists: 'ليس لديك قوائم تشغيل في Spotify',
  noPlaylistsText: 'ابحث في Spotify عن عنوان أو فنان، أو الصق رابطًا.',
  playlistsFailed: 'تعذّر تحميل قوائم تشغيلك',
  preview: (name) => isolate`اختيار مقاطع من ${name}`,
} satisfies Translated<typeof english.findMusic>

const inWords = (source: Source): string => sourceNames[source]

export const playability = {
  count: (count) => `تعذّر تشغيله لدى ${ofPeople(count)}`,
  toProfile: 'إلى ملفي الشخصي',
  premium: 'عن Premium',
  tryAgain: 'إعادة المحاولة',
  watch: 'المشاهدة على YouTube',
  reasons: {
    not_connected: {
      badge: 'Spotify غير مرتبط',
      short: 'لا يمكنك تشغيله: Spotify غير مرتبط',
      title: 'اربط Spotify لسماع هذا المقطع',
      text: 'يعمل من حساب Spotify Premium الخاص بك، الذي تربطه في ملفك الشخصي.',
    },
    no_premium: {
      badge: 'يحتاج إلى Spotify Premium',
      short: 'لا يمكنك تشغيله: يحتاج إلى Spotify Premium',
      title: 'يحتاج هذا المقطع إلى Spotify Premium',
      text: 'يعمل Spotify في التطبيقات الأخرى لمشتركي Premium فقط.',
    },
    no_drm: {
      badge: 'لا يعمل Spotify في هذا المتصفح',
      short: 'لا يمكنك تشغيله في هذا المتصفح',
      title: 'لا يمكن لهذا المتصفح تشغيل Spotify',
      text: 'لا يدعم الصوت المحمي. جرّب إصدارًا حديثًا من Chrome أو Edge أو Firefox أو Safari.',
    },
    app_paused: {
      badge: 'Spotify متوقف مؤقتًا',
      short: 'لا يمكنك تشغيله: Spotify متوقف مؤقتًا لهذا الخادم',
      title: 'Spotify متوقف مؤقتًا لهذا الخادم',
      text: 'يحتاج مالك تطبيق Spotify فيه إلى اشتراك Premium سارٍ.',
    },
    format: {
      badge: 'تعذّر تشغيل هذا التنسيق',
      short: 'لا يمكنك تشغيله في هذا المتصفح',
      title: 'لا يمكن لهذا المتصفح تشغيل هذا التنسيق',
      text: 'قد يسمعه الآخرون في الغرفة رغم ذلك.',
    },
    not_embeddable: {
      badge: 'على YouTube فقط',
      short: 'لا يعمل هنا بل على YouTube فقط',
      title: 'يعمل هذا الفيديو على YouTube فقط',
      text: 'لا يسمح به صاحبه على مواقع أخرى أو في بلدك.',
    },
    blocked: {
      badge: 'محجوب عنك',
      short: 'لا يمكنك تشغيله: محجوب عنك',
      title: 'هذا المقطع محجوب عنك',
      text: 'هو مقيَّد بحسب المنطقة أو العمر. قد يسمعه الآخرون في الغرفة رغم ذلك.',
    },
    live: {
      badge: 'بث مباشر',
      short: 'لا يعمل هنا: بث مباشر',
      title: 'هذا بث مباشر',
      text: 'لا يمكن للغرفة تشغيل البث المباشر معًا. يمكنك مشاهدته على YouTube.',
    },
    removed: {
      badge: 'لم يعد متاحًا',
      short: 'لم يعد هذا المقطع متاحًا',
      title: 'لم يعد هذا المقطع متاحًا',
      text: 'أزاله مزوّد الخدمة.',
    },
  },
  otherReason: {
    badge: 'تعذّر تشغيل هذا المقطع',
    short: 'لا يمكنك تشغيل هذا',
    title: 'لا يمكن تشغيل هذا المقطع هنا',
    text: 'قد يسمعه الآخرون في الغرفة رغم ذلك.',
  },
  playInstead: (source, percent) => isolate`تشغيله من ${inWords(source)} بدلًا من ذلك (بثقة ${percent}٪)`,
  hearing: (source) => isolate`تسمع هذا من ${inWords(source)}`,
  hearingText: (title, artist) =>
    artist
      ? isolate`${title} لـ ${artist}. أنت وحدك تسمعه من هناك.`
      : isolate`${title}. أنت وحدك تسمعه من هناك.`,
  stopInstead: 'العودة إلى الأصل',
} satisfies Translated<typeof english.playability>

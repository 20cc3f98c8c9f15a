import type * as english from '../now-playing.ts'
import type { Translated } from '../translated.ts'
import { ofTracks, ofVotes, tracks } from './grammar/counted.ts'
import { inMs, isolate } from './grammar/isolate.ts'
import { locale } from './language.ts'

const skipReasons: Readonly<Record<string, string>> = {
  not_embeddable: 'يعمل على YouTube فقط، لذلك تم تخطّيه',
  blocked: 'محجوب عن جميع الحاضرين، لذلك تم تخطّيه',
  age_restricted: 'مقيَّد بالعمر، لذلك تم تخطّيه',
  live: 'بث مباشر، لذلك تم تخطّيه',
}

export const nowPlaying = {
  title: 'يعمل الآن',
  controls: 'المشغّل',
  emptyTitle: 'لا يعمل أي مقطع',
  emptyText: 'أضف أغاني إلى قائمة الانتظار لتبدأ الاستماع',
  findMusic: 'البحث عن موسيقى',
  art: (title) => isolate`غلاف ${title}`,
  unknownTime: '--:--',
  position: 'الموضع',
  positionText: (elapsed, duration) => isolate`${elapsed} من ${duration}`,
  play: 'تشغيل',
  pause: 'إيقاف مؤقت',
  next: 'المقطع التالي',
  voteToSkip: 'التصويت للتخطّي',
  skipVotes: (votes, needed) => `${votes} من ${ofVotes(needed)} للتخطّي`,
  previous: 'السابق',
  previousHint: (seconds) => `إلى البداية؛ وخلال أول ${seconds} ثوانٍ إلى المقطع السابق`,
  mute: 'كتم الصوت',
  unmute: 'إلغاء كتم الصوت',
  volume: 'مستوى الصوت',
  volumeText: (percent) => `${percent} في المئة`,
  sync: 'مزامنة',
  syncHint: 'مزامنة التشغيل (المفتاح s)',
  syncing: 'جارٍ المزامنة',
  syncingText: 'تجري مواءمة صوتك مع الغرفة',
  leave: 'مغادرة',
  leaveHint: 'مغادرة الغرفة',
  cueing: 'يستعد الجميع...',
  tapToListen: 'انقر للاستماع',
  tapToListenText: 'يحتاج متصفحك إلى نقرة قبل تشغيل الصوت.',
  open: 'فتح',
  skip: 'تخطٍّ',
  pauseHere: 'إيقاف هنا',
  playHere: 'تشغيل هنا',
  silentHere: {
    paused: 'متوقف على هذا الجهاز',
    in_other_tab: 'يعمل في علامة تبويب أخرى',
    on_other_device: 'يعمل Spotify على جهاز آخر',
  },
  silentHereText: 'لا تتأثر الغرفة. يمكنك العودة في أي وقت.',
  soundFailed: 'تعذّر تحميل الصوت',
  soundFailedText: {
    library: 'يطلب جهازك الصوت من الخادم مرة أخرى كل بضع ثوانٍ.',
    spotify:
      'مشغّل Spotify لا يستجيب. تحقّق من اتصالك، ومما إذا كانت إحدى الإضافات تحظر Spotify. تُعاد المحاولة كل بضع ثوانٍ.',
  },
  slowSound: 'تحميل الصوت بطيء',
  slowSoundText: 'اتصالك بطيء، أو لا يستطيع الخادم قراءة الملف الآن. يبدأ التشغيل حالما يصل ما يكفي منه.',
  soundRefusedText: (time) => `يطلب Spotify الانتظار حتى الساعة ${time}. ستُعاد المحاولة بعد ذلك.`,
  unavailable: ({ title, count, reason = 'removed' }) => {
    const fact = skipReasons[reason]
    if (count === 1) return fact ? isolate`«${title}» ${fact}` : isolate`لم يعد «${title}» متاحًا`
    return fact
      ? isolate`تعذّر تشغيل «${title}» و${ofTracks(count - 1)} هنا`
      : isolate`«${title}» و${tracks(count - 1)}: لم تعد متاحة`
  },
  announce: (title, artist) =>
    artist ? isolate`يعمل الآن: ${title} لـ ${artist}` : isolate`يعمل الآن: ${title}`,
  announceNothing: 'لا شيء يعمل',
  listen: 'وضع الاستماع',
  listenHint: 'وضع الاستماع (المفتاح f)',
  upNext: (title, artist) => (artist ? isolate`التالي: ${title} · ${artist}` : isolate`التالي: ${title}`),
  miniPlayer: 'المشغّل المصغّر',
} satisfies Translated<typeof english.nowPlaying>

export const trackSource = {
  at: (title, source) => isolate`${title} على ${source}`,
} satisfies Translated<typeof english.trackSource>

export const videoPlayer = {
  region: 'فيديو',
  loading: 'جارٍ تحميل مشغّل YouTube...',
  errorTitle: 'خطأ في مشغّل YouTube',
  errorText: (code) => `رمز الخطأ ${code}. حاول تحديث الصفحة.`,
  playFailed: (code) => `خطأ في تشغيل الفيديو (الرمز: ${code})`,
  gaveUp: 'تعذّر تحميل الفيديو بعد عدة محاولات',
  loadFailed: (reason) => isolate`تعذّر تحميل الفيديو: ${reason}`,
  missingReferrer:
    'لم يتلقَّ YouTube عنوان هذا الموقع. تزيل إضافةٌ للمتصفح أو وكيلٌ أمام هذا الخادم ترويسة Referer.',
} satisfies Translated<typeof english.videoPlayer>

export const syncTexts = {
  in_sync: 'متزامن',
  correcting: 'جارٍ التصحيح',
  buffering: 'جارٍ التحميل',
  ad: 'بانتظار انتهاء إعلان',
  hidden: 'في الخلفية',
  blocked: 'الصوت محجوب',
  unplayable: 'تعذّر تشغيل هذا المقطع',
  no_clock: 'جارٍ ضبط الساعة',
  paused: 'متوقف مؤقتًا',
} satisfies Translated<typeof english.syncTexts>

export const syncBadge = {
  within: (text, ms) => `${text} · ضمن ${inMs(ms)}`,
  label: 'مزامنتك',
  disconnected: 'انقطع الاتصال',
  alone: 'أنت وحدك حتى الآن',
  aloneText: 'ادعُ شخصًا ليسمع معك الموسيقى نفسها في اللحظة نفسها.',
} satisfies Translated<typeof english.syncBadge>

export const syncPanel = {
  title: 'المزامنة',
  own: 'أنت',
  half: 'نصف الغرفة',
  nearlyAll: '95٪ من الغرفة',
  within: (ms) => `ضمن ${inMs(ms < 10 ? (Math.ceil(ms * 10) / 10).toFixed(1) : Math.ceil(ms))}`,
  unknown: 'غير متاح بعد',
  unmeasurable: (ms) =>
    `لا يمكن قياس ما يصل إلى ${inMs(Math.ceil(ms))} من ذلك: نصف الفرق بين اتجاهي اتصالك. إذا سمعت صدى فاستخدم الضبط الدقيق.`,
  latencyUnknown:
    'لا يذكر هذا المتصفح مقدار تأخر خروج صوتك من الجهاز، فهو غير محسوب في هذه الأرقام. إذا سمعت صدى فاستخدم الضبط الدقيق.',
  roomWithin: (ms) => `متزامن ضمن ${inMs(Math.max(1, Math.ceil(ms)))}`,
} satisfies Translated<typeof english.syncPanel>

export const nudge = {
  label: 'الضبط الدقيق',
  hint: 'هل تسمع صدى المستمعين الآخرين؟ أخّر صوتك أو قدّمه حتى يختفي. يتذكر هذا الجهاز الإعداد.',
  earlier: (stepMs) => `أبكر بمقدار ${inMs(stepMs)}`,
  later: (stepMs) => `متأخر بمقدار ${inMs(stepMs)}`,
  none: inMs(0),
  value: (ms) => `${inMs(Math.abs(ms))} ${ms > 0 ? 'تأخيرًا' : 'تقديمًا'}`,
  reset: 'إعادة الضبط',
} satisfies Translated<typeof english.nudge>

const signed = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' })

export const loudness = {
  label: 'توحيد مستوى الصوت',
  hint: 'تُسمع مقاطع المكتبة الهادئة والعالية بمستوى صوت متقارب إذا كانت ملفاتها تذكر مستواها. يتذكر هذا الجهاز الإعداد.',
  gain: (db) => isolate`هذا المقطع: ${`${signed.format(db)} dB`}`,
  unstated: 'لا يذكر ملفه مستواه.',
} satisfies Translated<typeof english.loudness>

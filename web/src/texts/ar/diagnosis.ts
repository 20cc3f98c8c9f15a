import { limits } from '@earshot/core/limits'
import type * as english from '../diagnosis.ts'
import type { Translated } from '../translated.ts'
import { productName } from './common.ts'
import { inMs, isolate } from './grammar/isolate.ts'
import { plural } from './grammar/counted.ts'

const findingTexts = {
  offline: {
    title: 'هذا الجهاز غير متصل',
    text: 'تحقق من شبكة Wi-Fi أو الكابل. تستمر الموسيقى ما دامت محمّلة مسبقًا.',
  },
  server_unreachable: {
    title: 'تعذّر الوصول إلى الخادم',
    text: 'تحقق من اتصالك بالإنترنت. إذا كانت المواقع الأخرى تعمل فقد يكون الخادم متوقفًا: حاول بعد دقيقة.',
  },
  server_unhealthy: {
    title: 'الخادم غير سليم',
    text: 'يستجيب لكنه يبلغ عن مشكلة. تواصل مع مديره.',
  },
  realtime_refused: {
    title: 'تعذّر الاتصال بالغرفة',
    text: 'الخادم نفسه يستجيب. اضغط «إعادة الاتصال». إذا لم ينفع ذلك فابحث عن جدار حماية أو وكيل أو إضافة للمتصفح تحجبه.',
  },
  http_unreachable: {
    title: 'يستجيب الخادم في الغرفة فقط',
    text: 'لا رد على طلبات HTTP، لذلك قد يفشل البحث والتشغيل. أعد تحميل الصفحة. إذا لم ينفع ذلك فابحث عن وكيل أو إضافة للمتصفح تحجبها.',
  },
  long_polling: {
    title: 'Long polling بدلًا من WebSocket',
    text: 'الاتصال يعمل لكن بتأخير أكبر. قد يحجب وكيل أو جدار حماية اتصالات WebSocket: اسمح بها أو جرّب شبكة أخرى.',
  },
  high_latency: {
    title: 'الاتصال بطيء',
    text: `يستغرق الخادم أكثر من ${inMs(limits.poorLatencyMs)} للرد. اقترب من الموجّه أو أوقف التنزيلات الكبيرة أو افصل VPN.`,
  },
  cookies_off: {
    title: 'ملفات تعريف الارتباط معطَّلة',
    text: 'لا يمكنك البقاء مسجّل الدخول من دونها. اسمح بها لهذا الموقع في إعدادات المتصفح.',
  },
  session_missing: {
    title: 'لم تعد مسجّل الدخول',
    text: 'سجّل الدخول من جديد للعودة إلى الغرفة.',
  },
  page_outdated: {
    title: 'هذه الصفحة قديمة',
    text: 'لدى الخادم إصدار أحدث. أعد تحميل الصفحة.',
  },
  clock_not_measured: {
    title: 'لم تُضبط الساعة بعد',
    text: 'أُجيب عدد قليل من قياسات الساعة حتى الآن. انتظر بضع ثوانٍ ثم أعد التشخيص.',
  },
  clock_uncertain: {
    title: 'الساعة مضبوطة تقريبيًا فقط',
    text: 'قد ينحرف صوتك بعشرات الأجزاء من الألف من الثانية. استخدم شبكة أسرع، أو صحّحه بالسمع بالضبط الدقيق.',
  },
  probes_lost: {
    title: 'لم يُجَب عن بعض قياسات الساعة',
    text: 'تفقد الشبكة رسائل. اقترب من الموجّه أو استخدم كابلًا.',
  },
  probes_jittery: {
    title: 'تأخير الشبكة متقلب جدًا',
    text: 'يصعّب ذلك ضبط الساعة. استخدم كابلًا أو خفّف الاستخدام الآخر للشبكة.',
  },
  device_clock_off: {
    title: 'ساعة هذا الجهاز غير دقيقة',
    text: 'لا يهم ذلك: تستخدم الغرفة ساعة الخادم.',
  },
  sound_blocked: {
    title: 'يحجب المتصفح الصوت',
    text: 'اضغط «انقر للاستماع». للسماح بالصوت دائمًا استخدم إعدادات الموقع في المتصفح.',
  },
  muted: {
    title: 'الصوت مغلق هنا',
    text: 'اضغط m أو حرّك شريط مستوى الصوت لسماع الغرفة.',
  },
  insecure_context: {
    title: 'لا تُنقل الصفحة بشكل آمن',
    text: 'عبر HTTP العادي لا يوفّر المتصفح مفكّك ترميز للصوت. يضبط الصوت رغم ذلك خلال ثوانٍ إلى أجزاء قليلة من الألف من الثانية؛ ولمزامنة أفضل افتح الصفحة عبر HTTPS أو على localhost.',
  },
  no_decoder: {
    title: 'ليس لهذا المتصفح مفكّك ترميز للصفحات',
    text: 'يضبط المشغّل البديل الصوت خلال ثوانٍ إلى أجزاء قليلة من الألف من الثانية. لمزامنة أفضل استخدم متصفحًا حديثًا.',
  },
  track_undecodable: {
    title: 'لا يمكن لهذا المتصفح تشغيل المقطع الحالي',
    text: 'جرّب متصفحًا آخر أو تخطَّ المقطع.',
  },
  track_failed: {
    title: 'تعذّر تحميل المقطع الحالي',
    text: 'تُعاد المحاولة كل بضع ثوانٍ. إذا استمر الفشل فتخطَّ المقطع وتواصل مع مدير الخادم.',
  },
  track_by_element: {
    title: 'يحتاج المقطع الحالي إلى المشغّل البديل',
    text: 'لا يمكن للمتصفح فك ترميز تنسيقه مباشرة. يُضبط الصوت خلال ثوانٍ إلى أجزاء قليلة من الألف من الثانية.',
  },
  output_latency_long: {
    title: 'جهاز الصوت لديك بطيء',
    text: 'هذا طبيعي في السماعات اللاسلكية ويُعوَّض. إذا بقيت تسمع صدى فاستخدم الضبط الدقيق.',
  },
  output_latency_ignored: {
    title: 'يبلغ جهاز الصوت عن تأخير غير معقول',
    text: `لا تُعوَّض التأخيرات التي تزيد على ${inMs(limits.plausibleOutputLatencyMs)}. عدّل الضبط الدقيق بالسمع أو استخدم جهازًا سلكيًا.`,
  },
  output_latency_unknown: {
    title: 'لا يذكر متصفحك مقدار تأخير صوتك',
    text: 'لذلك لا يمكن تعويضه، وقد يتأخر صوتك بضعة أجزاء من مئة من الثانية. إذا سمعت صدى فعدّل الضبط الدقيق بالسمع.',
  },
  tab_hidden: {
    title: 'كانت علامة التبويب هذه في الخلفية',
    text: 'تبطئ المتصفحات العلامات المخفية فتتأخر التصحيحات. أبقِ العلامة ظاهرة لأفضل مزامنة.',
  },
  sync_error_large: {
    title: 'صوتك غير متزامن',
    text: 'اضغط «مزامنة». إذا بقيت المشكلة فأغلق البرامج الأخرى واستخدم كابلًا للشبكة والصوت.',
  },
  sync_error_swinging: {
    title: 'مزامنتك غير مستقرة',
    text: 'الجهاز أو شبكته مشغول أحيانًا. أغلق علامات التبويب والبرامج الأخرى.',
  },
  buffering_often: {
    title: 'يتوقف الصوت كثيرًا للتحميل',
    text: 'الشبكة بطيئة على هذا المقطع. أوقف التنزيلات الأخرى أو اقترب من الموجّه.',
  },
} satisfies Translated<typeof english.diagnosis.findingTexts>

/** Formats with one decimal; avoids '-0.0'. */
const tenths = (value: number): string => value.toFixed(1).replace(/^-(?=0\.0$)/, '')

const diagnosisMs = (ms: number): string => inMs(Math.abs(ms) < 10 ? tenths(ms) : ms.toFixed(0))

export const diagnosis = {
  title: 'التشخيص',
  text: 'يفحص الاتصال والساعة والصوت ويقترح ما يجب فعله. لا تُشارَك أي بيانات.',
  run: 'بدء التشخيص',
  running: (steps) => `جارٍ فحص ${steps.join(' و')}...`,
  steps: { server: 'الخادم', clock: 'الساعة', sound: 'الصوت', session: 'الجلسة' },
  progress: 'تقدم التشخيص',
  allGood: 'كل شيء على ما يرام',
  allGoodText: 'الاتصال والساعة والصوت تعمل كما ينبغي.',
  done: (count) =>
    plural(count, {
      zero: 'انتهى التشخيص: كل شيء على ما يرام',
      one: 'انتهى التشخيص بملاحظة واحدة',
      two: 'انتهى التشخيص بملاحظتين',
      few: 'انتهى التشخيص بـ # ملاحظات',
      many: 'انتهى التشخيص بـ # ملاحظة',
      other: 'انتهى التشخيص بـ # ملاحظة',
    }),
  findings: 'الملاحظات',
  findingTexts,
  severities: { ok: 'غير ضار', notice: 'تنبيه', problem: 'مشكلة' },
  facts: 'القياسات',
  copy: 'نسخ التقرير',
  copied: 'تم نسخ التقرير',
  copiedText: 'لا يحتوي على أسماء أو كلمات مرور أو مفاتيح.',
  copyByHand: 'لا يسمح المتصفح هنا بالوصول إلى الحافظة. انسخ التقرير يدويًا.',
  report: 'التقرير',
  reportTitle: (time) => isolate`تشخيص ${productName}، ${time}`,
  room: 'الغرفة',
  browser: 'المتصفح',
  finding: (severity, title, text) => isolate`[${severity}] ${title}. ${text}`,
  ms: diagnosisMs,
  none: 'لا شيء',
  unknown: 'غير معروف',
  server: 'الخادم',
  health: 'فحص الخادم',
  healthStates: {
    healthy: (latency) => `سليم، استجاب خلال ${latency}`,
    unhealthy: (latency) => `غير سليم، استجاب خلال ${latency}`,
    unreachable: () => 'لا رد',
  },
  version: 'إصدار الخادم',
  connection: 'الاتصال بالغرفة',
  connectionStates: {
    connected: 'متصل',
    connecting: 'جارٍ الاتصال',
    disconnected: 'غير متصل',
    disabled: 'معطَّل',
  },
  transports: { websocket: 'WebSocket', polling: 'Long polling' },
  latency: 'التأخير',
  latencyText: (middle, fastest, slowest) => `${middle} (من ${fastest} إلى ${slowest})`,
  probes: 'القياسات',
  probesText: (answered, sent) => `أُجيب ${answered} من ${sent}`,
  clock: 'فرق الساعة',
  clockText: (offset, uncertainty) => `${offset}، بانحراف أقصاه ${uncertainty}`,
  clockMissing: 'لم يُقَس بعد',
  skew: 'انجراف الساعة',
  skewText: (ppm) => isolate`${`${tenths(ppm)} ppm`}`,
  deviceClock: 'ساعة هذا الجهاز',
  deviceClockText: (aheadMs) =>
    `${aheadMs < 0 ? 'متأخرة عن' : 'متقدمة على'} الخادم ${diagnosisMs(Math.abs(aheadMs))}`,
  sync: 'خطأ المزامنة',
  syncText: (p50, p95) => `نصفه دون ${p50}، و95٪ دون ${p95}`,
  buffering: 'انتظار البيانات',
  bufferingText: (spells) =>
    plural(spells, {
      zero: 'لم يحدث خلال دقيقتين',
      one: 'مرة خلال دقيقتين',
      two: 'مرتين خلال دقيقتين',
      few: '# مرات خلال دقيقتين',
      many: '# مرة خلال دقيقتين',
      other: '# مرة خلال دقيقتين',
    }),
  autoplay: 'الصوت',
  autoplayBlocked: 'يحجبه المتصفح',
  autoplayMuted: 'مغلق هنا',
  autoplayAllowed: 'مسموح',
  player: 'المشغّل',
  players: {
    library: 'مفكوك الترميز ومجدول',
    element: 'عنصر صوت',
    video: 'مشغّل فيديو',
    streaming: 'مشغّل بث',
  },
  playerError: 'خطأ المشغّل',
  output: 'المخرج',
  outputText: (state, sampleRate) => isolate`${state}، ${`${sampleRate} Hz`}`,
  outputLatency: 'تأخير المخرج',
  trackFormat: 'تنسيق المقطع',
  formats: 'التنسيقات',
  formatDecoded: (codec) => codec,
  formatPlayed: (codec) => isolate`${codec} (عنصر صوت فقط)`,
  formatMissing: (codec) => isolate`${codec} (لا يعمل)`,
  session: 'الجلسة',
  sessions: { signed_in: 'مسجّل الدخول', signed_out: 'غير مسجّل', unreadable: 'لا رد' },
  cookies: 'ملفات تعريف الارتباط',
  cookiesOn: 'مفعَّلة',
  cookiesOff: 'معطَّلة',
  page: 'الصفحة',
  pageCurrent: 'محدَّثة',
  pageOutdated: 'قديمة',
  context: 'طريقة النقل',
  contextSecure: 'عبر HTTPS أو localhost',
  contextInsecure: 'عبر HTTP عادي',
} satisfies Translated<typeof english.diagnosis>

export const syncErrorChart = {
  title: 'خطأ المزامنة في آخر دقيقتين',
  now: 'الآن',
  p50: 'الوسيط',
  p95: '95٪',
  none: '–',
  ms: (errorMs) => inMs(tenths(errorMs)),
  start: 'قبل دقيقتين',
  end: 'الآن',
  ahead: (ms) => inMs(`+${ms}`),
  behind: (ms) => inMs(`−${ms}`),
  zero: '0',
  description: (current, p50, p95) =>
    `خطأ المزامنة في آخر دقيقتين: الآن ${current}، والوسيط ${p50}، وفي 95 في المئة من الوقت دون ${p95}.`,
  empty: 'لا بيانات بعد. يبدأ المخطط عندما تعمل الموسيقى في الغرفة.',
} satisfies Translated<typeof english.syncErrorChart>

import type * as english from '../chat.ts'
import type { Translated } from '../translated.ts'
import { letters, messages, ofSeconds } from './grammar/counted.ts'

export const chat = {
  title: 'الدردشة',
  messages: 'الرسائل',
  placeholder: 'قل شيئًا...',
  inputLabel: 'الرسالة',
  send: 'إرسال',
  empty: 'لا رسائل بعد',
  emptyText: 'ألقِ التحية على كل من في الغرفة.',
  loadingOlder: 'جارٍ تحميل رسائل أقدم...',
  newMessages: (count) => (count > 99 ? 'أكثر من 99 رسالة جديدة' : messages(count)),
  latestMessages: 'أحدث الرسائل',
  olderFailedText: 'تعذّر تحميل الرسائل الأقدم.',
  sending: 'جارٍ الإرسال',
  waitsForConnection: 'ستُرسل عند عودة اتصالك.',
  notSent: 'لم تُرسل.',
  retry: 'إعادة الإرسال',
  discard: 'تجاهل',
  showAll: 'عرض الكل',
  tooFast: (seconds) => `أنت تكتب بسرعة. الرسالة التالية خلال ${ofSeconds(seconds)}`,
  tooLong: (count) => `النص أطول من الحد: ${letters(count)}`,
  charactersLeft: (count) => `المتبقي: ${letters(count)}`,
  outboxFull: 'ما زالت رسائل سابقة تنتظر الإرسال.',
} satisfies Translated<typeof english.chat>

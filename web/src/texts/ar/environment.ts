import type * as english from '../environment.ts'
import type { Translated } from '../translated.ts'
import { isolate } from './grammar/isolate.ts'

export const environment = {
  title: 'البيئة',
  missing: 'إعدادات مطلوبة غير موجودة',
  fallbacks: 'تُستخدم قيم احتياطية',
  backendUrl: 'عنوان الخادم الخلفي',
  backendUrlText: (origin) => isolate`لا يوجد خادم Earshot على العنوان ${origin}.`,
  clientKey: 'المفتاح العام (المجهول)',
  clientKeyText: 'يطلب الخادم هذا المفتاح من الصفحات ذات المصادر الأخرى.',
  socketServer: 'عنوان خادم المقابس',
  redirectUri: 'عنوان إعادة التوجيه من Spotify',
  setup: 'دليل الإعداد',
  collapse: 'طي ملاحظة البيئة',
  open: 'فتح ملاحظة البيئة',
} satisfies Translated<typeof english.environment>

export const localLink = {
  text: isolate`يعمل هذا الرابط على هذا الحاسوب فقط. ليعمل على أجهزة أخرى، اضبط ${'PUBLIC_URL'} على عنوان تصل به إلى Earshot. وفي شبكتك الخاصة، شغِّله مع الإعداد ${'HOST=0.0.0.0'} وافتحه على أحد العناوين التي يعرضها عند بدئه.`,
} satisfies Translated<typeof english.localLink>

export const cookies = {
  refused:
    'رفض متصفحك ملف تعريف الارتباط الذي يبقيك مسجَّل الدخول. اسمح بملفات تعريف الارتباط لهذا الموقع، أو افتحه في علامة تبويب مستقلة.',
} satisfies Translated<typeof english.cookies>

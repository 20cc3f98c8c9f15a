import type * as english from '../environment.ts'
import type { Translated } from '../translated.ts'
import { isolate } from './isolate.ts'

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

import type { Translated } from '../translated.ts'
import type * as english from '../document.ts'
import { splash } from './common.ts'

export const documentTexts = {
  splash: splash.text,
  description: 'استمعوا إلى الموسيقى معًا: كل من في الغرفة يسمع الشيء نفسه.',
  noScript: 'يشغّل Earshot الموسيقى بالتزامن ويحتاج لذلك إلى JavaScript. يُرجى تفعيله.',
  offlineTitle: 'غير متصل · Earshot',
  offlineHeading: 'يتعذّر الوصول إلى Earshot',
  offlineText: 'لا يوجد اتصال، أو الخادم متوقف. الموسيقى التي تعمل في علامة تبويب أخرى تستمر.',
  tryAgain: 'إعادة المحاولة',
} satisfies Translated<typeof english.documentTexts>

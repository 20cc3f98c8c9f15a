import type * as english from '../language-choice.ts'
import type { Translated } from '../translated.ts'

export const languageChoice = {
  label: 'اللغة',
  hint: 'يُعاد تحميل الصفحة عند تغييرها، ثم تستأنف موسيقى غرفتك.',
} satisfies Translated<typeof english.languageChoice>

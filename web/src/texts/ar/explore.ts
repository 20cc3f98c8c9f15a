import type * as english from '../explore.ts'
import type { Translated } from '../translated.ts'
import { isolate } from './grammar/isolate.ts'

export const explore = {
  title: 'استكشاف الغرف',
  text: 'الغرف العامة، وأولها التي تعمل فيها الموسيقى الآن.',
  filter: 'الموسيقى من',
  all: 'كل المصادر',
  noneOf: (source) => isolate`لا توجد غرفة عامة تشغّل من ${source}`,
  noneText: 'اختر مصدرًا آخر أو أنشئ غرفة.',
} satisfies Translated<typeof english.explore>

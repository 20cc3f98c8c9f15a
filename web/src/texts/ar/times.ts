import type * as english from '../times.ts'
import type { Translated } from '../translated.ts'

export const times = {
  justNow: 'الآن',
  minutes: (minutes) => `${minutes} د`,
  hours: (hours) => `${hours} س`,
  hoursAndMinutes: (hours, minutes) => `${hours} س ${minutes} د`,
  tooManyRequests: (when) => `طلبات كثيرة جدًا. حاول مرة أخرى ${when}.`,
} satisfies Translated<typeof english.times>

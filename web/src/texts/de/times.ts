import type * as english from '../times.ts'
import type { Translated } from '../translated.ts'

export const times = {
  justNow: 'gerade eben',
  minutes: (minutes) => `${minutes} Min.`,
  hours: (hours) => `${hours} Std.`,
  hoursAndMinutes: (hours, minutes) => `${hours} Std. ${minutes} Min.`,
  tooManyRequests: (when) => `Zu viele Anfragen. Versuche es ${when} noch einmal.`,
} satisfies Translated<typeof english.times>

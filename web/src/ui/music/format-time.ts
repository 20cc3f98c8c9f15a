import { hourMs, minuteMs } from '@earshot/core/clock'
import { locale } from '../../texts/language.ts'
import { times } from '../../texts/times.ts'

/** Formats a position or duration in ms as m:ss, rounded down. */
export function formatClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

const relativeFormat = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const units = [
  { unit: 'year', ms: 31_557_600_000 },
  { unit: 'month', ms: 2_629_800_000 },
  { unit: 'week', ms: 604_800_000 },
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: hourMs },
  { unit: 'minute', ms: minuteMs },
] as const

/** Formats the age of an instant ('5 minutes ago'); both in ms since 1970. */
export function formatAgo(atMs: number, nowMs: number): string {
  const elapsedMs = Math.max(0, nowMs - atMs)
  const fitting = units.find(({ ms }) => elapsedMs >= ms)
  if (!fitting) return times.justNow
  return relativeFormat.format(-Math.floor(elapsedMs / fitting.ms), fitting.unit)
}

/** Formats a wait ('in 20 seconds', 'in 9 minutes'), rounded up. */
export function formatWait(seconds: number): string {
  const fitting = units.find(({ ms }) => seconds * 1_000 >= ms)
  if (!fitting) return relativeFormat.format(seconds, 'second')
  return relativeFormat.format(Math.ceil((seconds * 1_000) / fitting.ms), fitting.unit)
}

const timeFormat = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const dateFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })

/** Formats a day ('5 Dec'). */
export const formatDate = (atMs: number): string => dateFormat.format(atMs)

/** Formats the time of day ('09:05'). */
export const formatTimeOfDay = (atMs: number): string => timeFormat.format(atMs)

/** Formats an instant: the time, with the date unless it is today. */
export function formatSentAt(atMs: number, nowMs: number): string {
  const time = timeFormat.format(atMs)
  const date = dateFormat.format(atMs)
  return date === dateFormat.format(nowMs) ? time : `${date}, ${time}`
}

/** Formats a span in ms as minutes or hours and minutes ('48 min', '2 h 10 min'), at least one minute. */
export function formatSpan(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / minuteMs))
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  if (hours === 0) return times.minutes(minutes)
  return rest === 0 ? times.hours(hours) : times.hoursAndMinutes(hours, rest)
}

const dayFormat = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' })
const dayOfYearFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric' })

/** Formats a day for a heading ('Today', 'Yesterday', 'Friday, December 5'); one of another year with its year. */
export function formatDay(atMs: number, nowMs: number): string {
  const midnight = (ms: number) => new Date(ms).setHours(0, 0, 0, 0)
  const days = Math.round((midnight(atMs) - midnight(nowMs)) / 86_400_000)
  if (days === 0 || days === -1) {
    const name = relativeFormat.format(days, 'day')
    return name.slice(0, 1).toUpperCase() + name.slice(1)
  }
  const isThisYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear()
  return (isThisYear ? dayFormat : dayOfYearFormat).format(atMs)
}

/** Splits a duration into whole days, hours and minutes. */
export function splitDuration(ms: number): { days: number; hours: number; minutes: number } {
  const minutes = Math.floor(ms / 60_000)
  return { days: Math.floor(minutes / 1_440), hours: Math.floor(minutes / 60) % 24, minutes: minutes % 60 }
}

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB']

/** Formats a size with at most three digits before the unit: 1.5 GB. */
export function formatBytes(bytes: number, locale: string): string {
  const power = Math.min(byteUnits.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const value = bytes / 1_000 ** power
  const maximumFractionDigits = value < 10 && power > 0 ? 1 : 0
  return `${value.toLocaleString(locale, { maximumFractionDigits })} ${byteUnits[power]}`
}

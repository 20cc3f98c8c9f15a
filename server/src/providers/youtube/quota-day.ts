/** YouTube counts searches per day and begins a day at midnight, Pacific time, whatever the season. */

const dayMs = 86_400_000

const pacific = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Los_Angeles',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

function read(atMs: number): { day: string; msOfDay: number } {
  const parts = Object.fromEntries(pacific.formatToParts(atMs).map(({ type, value }) => [type, value]))
  const seconds = Number(parts.hour) * 3_600 + Number(parts.minute) * 60 + Number(parts.second)
  return {
    day: `${parts.year}-${parts.month}-${parts.day}`,
    msOfDay: seconds * 1_000 + (Math.floor(atMs) % 1_000),
  }
}

/** Returns the day of an instant (ms), such as 2026-11-22. */
export function quotaDay(atMs: number): string {
  return read(atMs).day
}

/** Returns the instant (ms) at which the day of `atMs` ends. */
export function endOfQuotaDay(atMs: number): number {
  const estimate = Math.floor(atMs) - read(atMs).msOfDay + dayMs
  // A day on which the clocks change has 23 or 25 hours: the estimate is then an hour off.
  const { msOfDay } = read(estimate)
  return estimate - (msOfDay > dayMs / 2 ? msOfDay - dayMs : msOfDay)
}

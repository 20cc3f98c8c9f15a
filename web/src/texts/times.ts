/** The texts of times that `Intl` does not have, on every page. */

export const times = {
  justNow: 'just now',
  minutes: (minutes: number) => `${minutes} min`,
  hours: (hours: number) => `${hours} h`,
  hoursAndMinutes: (hours: number, minutes: number) => `${hours} h ${minutes} min`,
  tooManyRequests: (when: string) => `Too many requests. Try again ${when}.`,
}

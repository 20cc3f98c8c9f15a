/** What may be shown of a message: short, and nothing that is a secret. */

const secretName = /passw|secret|token|cookie|authorization/i
const mask = '••••••'
const longestText = 80
const longestList = 3

/** A payload as one line of JSON with secrets masked, long texts and lists shortened, at most `maxLength` long. */
export function describePayload(payload: unknown, maxLength = 240): string {
  return shorten(JSON.stringify(payload, conceal) ?? '', maxLength)
}

/** The same over several lines, for one that is looked at. */
export function printPayload(payload: unknown, maxLength = 2_000): string {
  return shorten(JSON.stringify(payload, conceal, 2) ?? '', maxLength)
}

/** For `JSON.stringify`: an empty secret is shown, since it is none. */
function conceal(name: string, value: unknown): unknown {
  if (secretName.test(name) && value !== null && value !== undefined && value !== '') return mask
  if (typeof value === 'string') return shorten(value, longestText)
  if (Array.isArray(value) && value.length > longestList) {
    return [...value.slice(0, longestList), `… ${value.length - longestList} more`]
  }
  return value
}

const shorten = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text

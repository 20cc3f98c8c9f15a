/** Hebrew, Arabic, and the other scripts that are read from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * Tag for sentences with names in them, in languages that are read from left to right: isolates a name in another
 * direction, so that it keeps its punctuation and does not reorder the sentence around it.
 */
export const named = (texts: TemplateStringsArray, ...values: (string | number)[]): string =>
  texts.reduce((text, next, index) => `${text}${isolate(String(values[index - 1]))}${next}`)

const isolate = (value: string): string => (rightToLeft.test(value) ? `\u2068${value}\u2069` : value)
